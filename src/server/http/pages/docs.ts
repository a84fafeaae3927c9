import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { frontPage, wantsPage } from './front-page.ts'
import { addPage, type Page, sendPage, worldRoot, writeBlock, writeTable } from './page.ts'
import { copyScript, pageStyle, startScript } from './page-assets.ts'
import { securePages, serveFiles } from './static-files.ts'
import { type ApiName, apis } from '../openapi/apis.ts'
import { describeStream } from '../openapi/asyncapi.ts'
import { fillIn, findExampleValues } from '../openapi/example-values.ts'
import { describeApi } from '../openapi/routes.ts'
import { type Message, toStreamed } from '../openapi/stream-messages.ts'
import { finding, invalidInput } from '#server/domain/errors.ts'
import { escapeHtml } from '#server/domain/html.ts'
import type { RouteDescription } from '../openapi/operation.ts'

export interface DocsOptions {
  routes: readonly RouteDescription[]
  examplesFile: string
  pageFolder: string
  /** Folder that contains the pages of `docs` as HTML. If absent, the pages are served only as Markdown. */
  guideFolder?: string | undefined
  projectFolder: string
  mayRead(request: FastifyRequest): boolean
  /** In the OpenAPI files, this interface is described only by its address. */
  billing: {
    title: string
    files: readonly string[]
    writeBody(request: FastifyRequest): string
    describe(): object
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const stream = { title: 'Event stream', writeBody: writeStreamPage }
const pageFiles = ['swagger-ui.css', 'swagger-ui-bundle.js']
const guideFiles = ['guide.css', 'guide.js', 'search.json']

export async function docs(app: FastifyInstance, options: DocsOptions): Promise<void> {
  const { routes, examplesFile, pageFolder, guideFolder, projectFolder, mayRead, billing } = options
  const markdownFolder = join(projectFolder, 'docs')
  // If CONTROL is off, the control API has no routes, so its description is not served.
  const names = (Object.keys(apis) as ApiName[]).filter((name) => routes.some(apis[name].includes))
  const describe = async (name: ApiName) =>
    describeApi(routes, apis[name], JSON.parse(await readFile(examplesFile, 'utf8')))
  const descriptions: Readonly<Record<string, () => object>> = {
    ...Object.fromEntries(names.map((name) => [name, () => describe(name)])),
    billing: billing.describe,
    stream: describeStream,
  }

  app.register(async (files) => {
    // Other origins may read the files, because they contain no secrets and are used by editors and generators.
    files.addHook('onRequest', (_request, reply, done) => {
      reply.header('access-control-allow-origin', '*')
      done()
    })
    for (const [name, describe] of Object.entries(descriptions)) {
      let made: Promise<string> | undefined
      addPage(files, `/openapi/${name}.json`, async ({ ports, query }, reply) => {
        made ??= Promise.resolve(describe()).then((description) => JSON.stringify(description))
        const text = name === 'events' ? inVersion(await made, query) : await made
        return reply.type(JSON_TYPE).send(fillIn(text, await findExampleValues(ports)))
      })
    }
    serveLinkedFiles(files, projectFolder)
    addPage(files, '/llms.txt', async (request, reply) => {
      const text = await readFile(join(markdownFolder, 'llms.txt'), 'utf8')
      return reply.type(TEXT).send(toServed(text, worldRoot(request)))
    })
  })

  const links: Page['links'] = [
    ['Documentation', '/docs'],
    ...names.map((name) => [apis[name].title, `/docs/${name}`] as const),
    [stream.title, '/docs/stream'],
    [billing.title, '/docs/billing'],
    ...(app.hasRoute({ method: 'GET', url: '/_console' }) ? [['Console', '/_console'] as const] : []),
  ]
  const described = Object.keys(descriptions).map((name) => `/openapi/${name}.json`)
  app.register(frontPage, { links, files: [...described, ...billing.files], mayRead })
  app.register(async (pages) => {
    await securePages(pages)
    addGuides(pages, markdownFolder, guideFolder, links)
  })
  app.register(async (pages) => {
    // Swagger UI adds inline styles to its elements.
    await securePages(pages, ["'self'", "'unsafe-inline'"])
    await serveFiles(pages, {
      prefix: '/docs/',
      names: {
        [pageFolder]: pageFiles,
        [markdownFolder]: listPages(markdownFolder),
        ...(guideFolder !== undefined && { [guideFolder]: guideFiles }),
      },
    })
    addPage(pages, '/docs/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(pageStyle))
    for (const [name, script] of Object.entries({ 'start.js': startScript, 'copy.js': copyScript })) {
      addPage(pages, `/docs/${name}`, async (_request, reply) => reply.type(SCRIPT).send(script))
    }
    for (const name of names) {
      addPage(pages, `/docs/${name}`, async (request, reply) => {
        const body = `<div id="page" data-file="${worldRoot(request)}/openapi/${name}.json"></div>`
        const loads = { styles: ['swagger-ui.css'], scripts: ['swagger-ui-bundle.js', 'start.js'] }
        return sendPage(reply, { title: apis[name].title, body, links, current: `/docs/${name}`, ...loads })
      })
    }
    for (const [name, { title, writeBody }] of Object.entries({ stream, billing })) {
      addPage(pages, `/docs/${name}`, async (request, reply) => {
        const body = `<main>\n${writeBody(request)}\n</main>`
        return sendPage(reply, { title, body, links, current: `/docs/${name}`, scripts: ['copy.js'] })
      })
    }
  })
}

/** HTML for browsers, Markdown for programs. */
function addGuides(app: FastifyInstance, markdown: string, html: string | undefined, links: Page['links']): void {
  const names = listPages(markdown).map((name) => name.slice(0, -'.md'.length))
  const send = (reply: FastifyReply, body: string) => {
    const [, title = ''] = /<h1[^>]*>([^<]*)/.exec(body)!
    const loads = { styles: ['guide.css'], scripts: ['copy.js', 'guide.js'] }
    return sendPage(reply, { title, body, links, current: '/docs', ...(html !== undefined && loads) })
  }
  addPage(app, '/docs', async (request, reply) => {
    if (html !== undefined) return send(reply, await readFile(join(html, 'index.html'), 'utf8'))
    const items = names.map((name) => `<li><a href="${worldRoot(request)}/docs/${name}.md">${name}</a></li>`)
    return send(reply, `<main>\n<h1>Documentation</h1>\n<ul>${items.join('\n')}</ul>\n</main>`)
  })
  for (const name of names) {
    addPage(app, `/docs/${name}`, async (request, reply) => {
      reply.header('vary', 'accept')
      const isHtml = html !== undefined && wantsPage(request)
      if (isHtml) return send(reply, await readFile(join(html, `${name}.html`), 'utf8'))
      return reply.type(types['.md']!).send(await readFile(join(markdown, `${name}.md`)))
    })
  }
}

function listPages(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.md'))
}

const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.wsdl': 'application/xml; charset=utf-8',
  '.xsd': 'application/xml; charset=utf-8',
  '.webp': 'image/webp',
}
const single = [
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
  'compose.yaml',
  'docs/images/examination.webp',
  'docs/images/requests.webp',
  'examples/nginx.conf',
  'fixtures/README.md',
  'openapi/README.md',
  'skills/vendor-cloud/SKILL.md',
]

/** Serves files at the same paths as in the package, so that relative links work. */
function serveLinkedFiles(app: FastifyInstance, projectFolder: string): void {
  const described = list(projectFolder, 'openapi').filter((path) => /\.(?:yaml|wsdl|xsd)$/.test(path))
  const examples = list(projectFolder, 'examples/clients').filter((path) => extname(path) !== '')
  for (const path of [...single, ...described, ...examples]) {
    const file = join(projectFolder, path)
    // The server must start even if a file was removed from the package.
    if (!existsSync(file)) continue
    const type = types[extname(path)] ?? TEXT
    addPage(app, `/${path}`, async (_request, reply) => reply.type(type).send(await readFile(file)))
  }
}

function list(projectFolder: string, folder: string): string[] {
  const whole = join(projectFolder, folder)
  if (!existsSync(whole)) return []
  return readdirSync(whole, { encoding: 'utf8', recursive: true }).map((name) =>
    join(folder, name).replaceAll('\\', '/'),
  )
}

/** The query parameter `version=3.2` selects OpenAPI 3.2. Default: 3.1. */
function inVersion(text: string, query: unknown): string {
  const { version = '3.1' } = query as { version?: unknown }
  if (version === '3.1') return text
  if (version === '3.2') return toStreamed(text)
  throw invalidInput([finding('query.version', 'must be 3.1 or 3.2', { source: 'our choice: first-page' })])
}

/** The links of the file are relative to `/docs/`. */
function toServed(text: string, root: string): string {
  return text.replace(/\]\((?!https?:)([^)]+)\)/g, (_, link: string) => {
    const { pathname } = new URL(link, 'http://server/docs/')
    return `](${root}${pathname})`
  })
}

function writeStreamPage(): string {
  const { info, channels, components } = describeStream()
  const { address, description, 'x-server-sent-events': framing } = channels.stream
  const rows = Object.entries(framing).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
  return `<h1>Event stream</h1>
<p>${withCode(info.description)}</p>
<p><code>GET ${address}</code>. ${withCode(description)}</p>
<h2>Framing</h2>
${writeTable(['What', 'How'], rows)}
<h2>Events</h2>
${Object.entries(components.messages).map(writeMessage).join('\n')}`
}

function writeMessage([name, message]: [string, Message]): string {
  const description = 'description' in message ? message.description : ''
  const { headers, payload } = message.examples[0]!
  const data = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return `<h3>${name}</h3>
<p>${escapeHtml(message.summary)}. ${escapeHtml(description)}</p>
${writeBlock(`event: ${headers.event}\ndata: ${data}\nid: ${headers.id}\n`)}`
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>')
}
