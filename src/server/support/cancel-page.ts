import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../domain/html.ts'

/** For the link in an email (our choice). Email scanners open links, so only the button calls operation 35. */
export function cancelPage(app: FastifyInstance): void {
  app.get('/cancel', async ({ ports }, reply) => {
    const {
      'request-source-web': [source],
      'base-path': base,
    } = ports.world.choices
    const path = base === 'with' ? 'support-api/stg/stg' : 'stg'
    return reply.headers(headers).send(page.replace('{{source}}', escapeHtml(source!)).replace('{{path}}', path))
  })
}

/** Addresses are relative, so that the page also works at a path that starts with the prefix of a world. */
const script = `
const button = document.querySelector('button')
const state = document.querySelector('[role=status]')
const given = new URLSearchParams(location.search)
const query = new URLSearchParams({ srid: given.get('srid') ?? '', key: given.get('key') ?? '' })
const answers = {
  200: 'Your appointment is cancelled. You can close this page.',
  400: 'This link is not complete. Please open it from the e-mail again.',
  404: 'This link is wrong. Please open it from the e-mail again.',
}
const tooLate = 'There is nothing to cancel: the request is closed, or its appointment has begun.'
button.hidden = false
button.addEventListener('click', async () => {
  button.disabled = true
  state.textContent = 'Cancelling...'
  try {
    const { path, source } = document.querySelector('main').dataset
    const reply = await fetch(path + '/us/instore/noauth/emailcancel?' + query, {
      method: 'DELETE',
      headers: { 'request-source': source },
    })
    const isTooLate = reply.status === 200 && !(await reply.json()).cancelled
    state.textContent = isTooLate ? tooLate : answers[reply.status] ?? 'That did not work. Please try again in a moment.'
    button.hidden = reply.status in answers
  } catch {
    state.textContent = 'The server cannot be reached. Please try again in a moment.'
  }
  button.disabled = false
})
`

const style = `
:root { color-scheme: light dark }
body { font: 1.125rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 36rem; padding: 3rem 1.5rem }
h1 { font-size: 1.75rem; line-height: 1.2 }
button { background: #b3261e; border: 0; border-radius: .5rem; color: #fff; font: inherit; padding: .75rem 1.5rem }
button:focus-visible { outline: 3px solid #1a73e8; outline-offset: 3px }
button:disabled { background: #5f5f5f }
`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cancel your service appointment</title>
<style>${style}</style>
</head>
<body>
<main data-source="{{source}}" data-path="{{path}}">
<h1>Cancel your service appointment?</h1>
<p>The appointment from your e-mail stays booked until you press the button. Its place then goes to somebody else.</p>
<button type="button" hidden>Cancel the appointment</button>
<p role="status"></p>
<noscript><p>Please allow scripts for this page, or call the store: its number is in the e-mail.</p></noscript>
</main>
<script>${script}</script>
</body>
</html>
`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  // The URL of the page contains the key.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
