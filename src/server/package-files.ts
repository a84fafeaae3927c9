import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The depth of this file differs between `src` and `dist`, so the root is found by searching for package.json. */
export const ROOT = findRoot(import.meta.dirname)

export const FIXTURES = join(ROOT, 'fixtures')
export const EXAMPLES = join(ROOT, 'openapi/examples.json')

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

export function readVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version
}

/** If the server runs from source, the pages are available as HTML only after a build. */
export function findDocs(): { pageFolder: string; guideFolder: string | undefined } {
  const built = join(import.meta.dirname, 'docs')
  const guideFolder = [built, join(ROOT, 'dist/docs')].map((each) => join(each, 'guides')).find(existsSync)
  return { pageFolder: existsSync(built) ? built : join(ROOT, 'node_modules/swagger-ui-dist'), guideFolder }
}

/** If the server runs from source, the console is available only after a build. */
export function findConsoleFolder(): string | undefined {
  const folders = [join(import.meta.dirname, 'console'), join(ROOT, 'dist/console')]
  return folders.find((each) => existsSync(join(each, 'index.html')))
}

export function readCasePageParts(): { script: string; style: string } | undefined {
  const folder = findConsoleFolder()
  if (folder === undefined || !existsSync(join(folder, 'case-page.js'))) return undefined
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
  return { script: read('case-page.js'), style: read('case-page.css') }
}
