import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const text = 'text/plain; charset=utf-8'
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
  'compose.yaml',
  'docs/images/examination.webp',
  'docs/images/requests.webp',
  'examples/nginx.conf',
  'fixtures/README.md',
  'openapi/README.md',
  'skills/vendor-cloud/SKILL.md',
]

/** Files keep the paths of the package, so that relative links work. */
export function serveLinkedFiles(app: FastifyInstance, projectFolder: string): void {
  const described = list(projectFolder, 'openapi').filter((path) => /\.(?:yaml|wsdl|xsd)$/.test(path))
  const examples = list(projectFolder, 'examples/clients').filter((path) => extname(path) !== '')
  for (const path of [...single, ...described, ...examples]) {
    const file = join(projectFolder, path)
    // A package that somebody has thinned out starts all the same.
    if (!existsSync(file)) continue
    app.get(`/${path}`, async (_request, reply) => reply.type(types[extname(path)] ?? text).send(await readFile(file)))
  }
}

function list(projectFolder: string, folder: string): string[] {
  const whole = join(projectFolder, folder)
  if (!existsSync(whole)) return []
  return readdirSync(whole, { encoding: 'utf8', recursive: true }).map((name) =>
    join(folder, name).replaceAll('\\', '/'),
  )
}
