import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseUrl } from '../addresses.ts'
import { acceptOf } from '../input/headers.ts'
import type { Ports } from '#server/ports.ts'
import { type Page, sendPage, worldRoot, writeBlock } from './page.ts'
import { escapeHtml } from '#server/domain/html.ts'
import { securePages } from './static-files.ts'

interface FrontPageOptions {
  links: Page['links']
  files: readonly string[]
  mayRead(request: FastifyRequest): boolean
}

/** For people who know only the address of the server. Programs get JSON instead. */
export async function frontPage(app: FastifyInstance, { links, files, mayRead }: FrontPageOptions): Promise<void> {
  await securePages(app)
  const consoleIsOn = () => app.hasRoute({ method: 'GET', url: '/_console' })
  const show = (reply: FastifyReply, title: string, body: string) =>
    sendPage(reply, { title, body: `<main>\n${body}\n</main>`, links, scripts: ['copy.js'] })

  app.get('/', async (request, reply) => {
    reply.header('vary', 'accept')
    const url = baseUrl(request)
    const places = {
      ...(consoleIsOn() && { console: `${url}/_console` }),
      docs: `${url}/docs`,
      openapi: `${url}/openapi`,
      pages: `${url}/llms.txt`,
      health: `${url}/health/ready`,
    }
    if (!wantsPage(request)) return { name: 'vendor-cloud', world: request.ports.world.name, ...places }
    return show(reply, 'start', writeStart(url, request, consoleIsOn(), mayRead(request)))
  })

  app.get('/openapi', async (request, reply) => {
    reply.headers({ vary: 'accept', 'access-control-allow-origin': '*' })
    const url = baseUrl(request)
    if (!wantsPage(request)) return { files: files.map((file) => `${url}${file}`) }
    const items = files.map((file) => `<li><a href="${worldRoot(request)}${file}">${file}</a></li>`)
    return show(reply, 'files', `<h1>Files that describe the interfaces</h1>\n<ul>${items.join('\n')}</ul>`)
  })

  app.get('/favicon.ico', async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'max-age=86400').send(icon),
  )
}

/** Browsers accept `text/html` explicitly, while programs accept any type. */
export function wantsPage(request: FastifyRequest): boolean {
  return acceptOf(request).includes('text/html')
}

function writeStart(url: string, request: FastifyRequest, consoleIsOn: boolean, journalIsOpen: boolean): string {
  const root = worldRoot(request)
  const console = consoleIsOn
    ? `<li><a href="${root}/_console">Console</a>: requests, clock, devices, faults, records of this world, live</li>`
    : ''
  return `<h1>vendor-cloud</h1>
<p>A consumer-electronics vendor's support, event and billing interfaces, on this machine.</p>
<ul>
${console}
<li><a href="${root}/docs">Documentation</a>: guides, and a reference in which you can try every operation</li>
<li><a href="${root}/openapi">Files</a>: OpenAPI, AsyncAPI, WSDL</li>
<li><a href="${root}/llms.txt">Pages</a>: guides as plain text, for people and agents</li>
</ul>
<h2>Running now</h2>
<ul>
${writeRunning(request, journalIsOpen)}
</ul>
<h2>First calls</h2>
<p>A zip code (document 1):</p>
${writeBlock(`curl -sw '\\n' -H 'request-source: vendor.com' '${url}/stg/us/guest/zipCode?zipCode=07660'`)}
<p>A subscription to device events (document 2):</p>
${writeBlock(`curl -sw '\\n' '${url}/subscriptions' -H 'Authorization: Bearer token-home' \\
  -d '{"subscriptionFilters": [{"type": "LOCATIONIDS", "value": ["ALL"]}]}'`)}
<p>The billing interface (document 3):</p>
${writeBlock(`curl -s '${url}/iap/ws/RTCService?wsdl'`)}`
}

function writeRunning({ ports }: FastifyRequest, journalIsOpen: boolean): string {
  const { now, frozen } = ports.clockControl.read()
  const facts = [
    `World: ${ports.world.name}`,
    `Clock: ${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC${frozen ? ', paused' : ''}`,
    ...(journalIsOpen ? [`Last request: ${describeLast(ports)}`] : []),
  ]
  return facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('\n')
}

function describeLast({ journal }: Ports): string {
  for (const { record } of journal.scan()) {
    if (record.kind === 'request') return `${record.method} ${record.path}: ${record.status ?? 'no response'}`
  }
  return 'none'
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6a5b"/>' +
  '<path d="M8 11l8 11 8-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" ' +
  'stroke-linejoin="round"/><circle cx="16" cy="9" r="2.2" fill="#9fe6d5"/></svg>'
