import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { securePages, serveFiles } from '../static-files.ts'
import { type ApiName, apis } from './apis.ts'
import { describeStream } from './asyncapi.ts'
import { fillIn, findExampleValues } from './example-values.ts'
import { describeApi } from './routes.ts'
import type { OperationExample, RouteDescription } from './operation.ts'

export interface DocsOptions {
  /** Every route, as `collectRoutes` saw it. */
  routes: readonly RouteDescription[]
  /** The file of examples that `npm run openapi` writes. */
  examplesFile: string
  /** The folder that holds swagger-ui's files. */
  pageFolder: string
}

const pageFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js']

/** The OpenAPI and AsyncAPI documents, made when somebody first asks, and a page to browse them without a network. */
export async function docs(app: FastifyInstance, { routes, examplesFile, pageFolder }: DocsOptions): Promise<void> {
  const made = new Map<ApiName, Promise<string>>()
  const describe = async (name: ApiName) =>
    JSON.stringify(describeApi(routes, apis[name], await readExamples(examplesFile)))

  for (const name of Object.keys(apis) as ApiName[]) {
    app.get(`/openapi/${name}.json`, async ({ ports }, reply) => {
      if (!made.has(name)) made.set(name, describe(name))
      reply.type('application/json; charset=utf-8')
      return fillIn((await made.get(name))!, await findExampleValues(ports))
    })
  }
  app.get('/openapi/stream.json', async () => describeStream())

  app.register(async (pages) => {
    // Swagger UI writes styles into its elements.
    await securePages(pages, ["'self'", "'unsafe-inline'"])
    await serveFiles(pages, { folder: pageFolder, prefix: '/docs/', names: pageFiles })
    pages.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
    pages.get('/docs/start.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(startScript),
    )
  })
}

export async function readExamples(file: string): Promise<Record<string, OperationExample>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, OperationExample>
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>vendor-cloud: interfaces</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/swagger-ui-standalone-preset.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

const pages = Object.entries(apis).map(([name, { title }]) => ({ url: `openapi/${name}.json`, name: title }))

/** A token of the fixtures is in place, so that "Try it out" needs no preparation. */
const startScript = `const ui = SwaggerUIBundle({
  dom_id: '#page',
  urls: ${JSON.stringify(pages)},
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  onComplete: () => ui.preauthorizeApiKey('bearer', 'token-home'),
})
`
