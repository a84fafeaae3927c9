import { createHash } from 'node:crypto'
import type { CaseView, PlayedStep } from '../view/case-view.ts'

export interface PageParts {
  script: string
  style: string
}

/** A page grows with its case; this much is free beside the steps' own lines. */
const FREE = 100_000

/**
 * The file needs no network. Its policy admits its one script and one style by their SHA-256; everything in a case is
 * data, which the script alone reads. `step` is open at first.
 */
export function writeCasePage(view: CaseView, { script, style }: PageParts, step?: number): string {
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  const data = toData({ ...withinBounds(view), ...(step !== undefined && { opened: step }) })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>A case of vendor-cloud</title>
<style>${style}</style>
</head>
<body>
<div id="case"></div>
<noscript><p>This page needs JavaScript to show the case that it holds. It loads nothing.</p></noscript>
<script type="application/json" id="data">${data}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

/** Nothing in the JSON may end a script element, or begin one within it. */
function toData(value: unknown): string {
  return JSON.stringify(value).replace(/<(?=\/?script|!--)/gi, '\\u003c')
}

/** Changes beyond four times the steps' own size are only counted. */
function withinBounds(view: CaseView): CaseView {
  const lines = Buffer.byteLength(JSON.stringify(view.steps))
  let left = lines + FREE
  const played: Record<string, PlayedStep> = {}
  for (const [step, told] of Object.entries(view.played)) {
    const fitting = [told, withoutChanges(told), withoutTexts(told)].find((each) => sizeOf(each) <= left)
    if (!fitting) continue
    left -= sizeOf(fitting)
    played[step] = fitting
  }
  return { ...view, played }
}

const sizeOf = (told: PlayedStep) => Buffer.byteLength(toData(told)) + 10

function withoutChanges({ changes = [], moreChanges = 0, ...told }: PlayedStep): PlayedStep {
  return { ...told, moreChanges: moreChanges + changes.length }
}

function withoutTexts({ why, ...told }: PlayedStep): PlayedStep {
  const { differs: _differs, ...rest } = withoutChanges(told)
  if (!why) return rest
  const { code, source } = why
  return { ...rest, why: { code, message: '', findings: [], ...(source !== undefined && { source }) } }
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
