import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { frontPage } from './front-page.ts'
import { type Page, sendPage, worldRoot } from './page.ts'
import { serveLinkedFiles } from './linked-files.ts'
import { copyScript, pageStyle, startScript } from './page-assets.ts'
import { securePages, serveFiles } from './static-files.ts'
import { type ApiName, apis } from '../openapi/apis.ts'
import { describeStream } from '../openapi/asyncapi.ts'
import { fillIn, findExampleValues } from '../openapi/example-values.ts'
import { describeApi } from '../openapi/routes.ts'
import { toStreamed } from '../openapi/stream-messages.ts'
import { finding, invalidInput } from '#server/domain/errors.ts'
import type { RouteDescription } from '../openapi/operation.ts'
import { writeStreamPage } from './stream-page.ts'

export interface DocsOptions {
  routes: readonly RouteDescription[]
  examplesFile: string
  pageFolder: string
  /** README and the folder `docs` lie here. */
  projectFolder: string
  /** OpenAPI describes this interface only by its address. */
  billing: {
    title: string
    files: readonly string[]
    writeBody(request: FastifyRequest): string
    describe(): object
  }
}

const pageFiles = ['swagger-ui.css', 'swagger-ui-bundle.js']
const pathOf = (name: string) => (name === 'support' ? '/docs' : `/docs/${name}`)

/** Descriptions are made on demand, and their pages need no network. */
export async function docs(app: FastifyInstance, options: DocsOptions): Promise<void> {
  const { routes, examplesFile, pageFolder, projectFolder, billing } = options
  const guideFolder = join(projectFolder, 'docs')
  const guides = readdirSync(guideFolder).filter((name) => name.endsWith('.md'))
  const made = new Map<ApiName, Promise<string>>()
  const describe = async (name: ApiName) =>
    JSON.stringify(describeApi(routes, apis[name], JSON.parse(await readFile(examplesFile, 'utf8'))))
  // With CONTROL=off no description of the control API is served.
  const names = (Object.keys(apis) as ApiName[]).filter((name) => routes.some(apis[name].includes))

  app.register(async (files) => {
    // The files hold no secret, and editors and generators on other origins read them.
    files.addHook('onRequest', (_request, reply, done) => {
      reply.header('access-control-allow-origin', '*')
      done()
    })
    for (const name of names) {
      files.get(`/openapi/${name}.json`, async ({ ports, query }, reply) => {
        if (!made.has(name)) made.set(name, describe(name))
        const text = name === 'events' ? inVersion((await made.get(name))!, query) : await made.get(name)
        reply.type('application/json; charset=utf-8')
        return fillIn(text!, await findExampleValues(ports))
      })
    }
    files.get('/openapi/billing.json', async ({ ports }, reply) => {
      reply.type('application/json; charset=utf-8')
      return fillIn(JSON.stringify(billing.describe()), await findExampleValues(ports))
    })
    files.get('/openapi/stream.json', async () => describeStream())
    serveLinkedFiles(files, projectFolder)
    files.get('/llms.txt', async (request, reply) => {
      const text = await readFile(join(guideFolder, 'llms.txt'), 'utf8')
      return reply.type('text/plain; charset=utf-8').send(toServed(text, worldRoot(request)))
    })
  })

  const links: Page['links'] = [
    ...names.map((name) => [apis[name].title, pathOf(name)] as const),
    ['Event stream', '/docs/stream'],
    [billing.title, '/docs/billing'],
    ...(app.hasRoute({ method: 'GET', url: '/_console' }) ? [['Console', '/_console'] as const] : []),
  ]
  const described = [...names, 'billing', 'stream'].map((name) => `/openapi/${name}.json`)
  app.register(frontPage, { links, files: [...described, ...billing.files] })
  app.register(async (pages) => {
    // Swagger UI writes styles into its elements.
    await securePages(pages, ["'self'", "'unsafe-inline'"])
    await serveFiles(pages, {
      prefix: '/docs/',
      names: { [pageFolder]: pageFiles, [guideFolder]: guides },
    })
    pages.get('/docs/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(pageStyle))
    for (const [name, script] of Object.entries({ 'start.js': startScript, 'copy.js': copyScript })) {
      pages.get(`/docs/${name}`, async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
    }
    for (const name of names) {
      pages.get(pathOf(name), async (request, reply) => {
        const body = `<div id="page" data-file="${worldRoot(request)}/openapi/${name}.json"></div>`
        const loads = { styles: ['swagger-ui.css'], scripts: ['swagger-ui-bundle.js', 'start.js'] }
        return sendPage(reply, { title: apis[name].title, body, links, current: pathOf(name), ...loads })
      })
    }
    const plain = {
      stream: { title: 'Event stream', writeBody: writeStreamPage },
      billing,
    }
    for (const [name, { title, writeBody }] of Object.entries(plain)) {
      pages.get(`/docs/${name}`, async (request, reply) => {
        const body = `<main>\n${writeBody(request)}\n</main>`
        return sendPage(reply, { title, body, links, current: `/docs/${name}`, scripts: ['copy.js'] })
      })
    }
  })
}

/** `3.2` asks for the newer version; 3.1 is the default. */
function inVersion(text: string, query: unknown): string {
  const { version = '3.1' } = query as { version?: unknown }
  if (version === '3.1') return text
  if (version === '3.2') return toStreamed(text)
  throw invalidInput([finding('query.version', 'must be 3.1 or 3.2', { source: 'our choice: first-page' })])
}

/** The pages lie below `/docs/`, so their relative links lead there. */
function toServed(text: string, root: string): string {
  return text.replace(/\]\((?!https?:)([^)]+)\)/g, (_, link: string) => {
    const { pathname } = new URL(link, 'http://server/docs/')
    return `](${root}${pathname})`
  })
}
