import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSettings } from '../src/server/config.ts'
import { files, importsPeer, installPages, runPageFile } from './helpers/page-files.ts'
import { pages, readBlocks, readPage, ROOT } from './helpers/pages.ts'

let folder: string

beforeAll(() => {
  folder = installPages()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(files.filter((each) => /\.[mc]js$/.test(each.file) && !importsPeer(each)))(
  '$file runs as printed and shows the promised output',
  ({ file, text }) => runPageFile(folder, process.execPath, file, text),
)

test('every code block in the documentation is run by a test or says why not', () => {
  const languages = ['sh', 'js', 'ts', 'python']
  for (const page of pages) {
    for (const { language, text, file, notRun } of readBlocks(page)) {
      if (['bash', 'shell', 'javascript', 'typescript', 'mjs'].includes(language))
        throw new Error(`${page}: ${language}`)
      if (languages.includes(language) && language !== 'sh') expect(file ?? notRun, `${page}: ${text}`).toBeDefined()
    }
    expect(readPage(page), `${page} has a block that no test sees`).not.toMatch(/^ {4}(npm|curl|docker|vendor-cloud) /m)
  }
})

test('code blocks that are not run contain only existing variables, scripts and exports', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
  const library = readFileSync(join(ROOT, 'src/index.ts'), 'utf8')
  const settings = describeSettings().map(({ name }) => name)
  const blocks = pages.flatMap(readBlocks).filter(({ notRun }) => notRun !== undefined)
  expect(blocks.length).toBeGreaterThan(3)
  for (const { text, language } of blocks) {
    if (language === 'sh') {
      for (const [, name] of text.matchAll(/(?<!-v )\b([A-Z][A-Z_]+)=/g)) expect(settings).toContain(name)
    }
    for (const [, name] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name)
    for (const [, names] of text.matchAll(/import \{ (.*?) \} from 'vendor-cloud'/g))
      for (const name of names!.split(', ')) expect(library).toMatch(new RegExp(`\\b${name.replace('type ', '')}\\b`))
  }
})

test.each([
  ...pages,
  'SECURITY.md',
  'docs/images/README.md',
  'openapi/README.md',
  'src/README.md',
  'AGENTS.md',
  'docs/llms.txt',
])('every link in %s resolves to a file', (page) => {
  const links = [...readPage(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
  for (const link of links) {
    if (!/^https?:/.test(link)) expect(existsSync(join(ROOT, dirname(page), link)), link).toBe(true)
  }
})

const npxPages = [
  ...pages,
  'skills/vendor-cloud/SKILL.md',
  'examples/starter/README.md',
  'docs/llms.txt',
  'AGENTS.md',
  'CONTRIBUTING.md',
]

// npx treats options after the name of the package as its own, unless `--` precedes them. `-alias NAME` is an option of
// keytool.
const wrongCall = /npx (?!--no )\S*vendor-cloud|(?<!-- |-alias )\bvendor-cloud -|"npx", "args": \["(?!--no")/

test.each(npxPages)(
  'every vendor-cloud command in %s starts with npx --no and its options follow the command',
  (page) => expect(readPage(page)).not.toMatch(wrongCall),
)

test('vendor-cloud commands that the source files mention have their options after the command', () => {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const sources = paths.filter((path) => /\.tsx?$/.test(path)).map((path) => `src/${path}`)
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter((path) => wrongCall.test(readPage(path)))).toEqual([])
})

test('the README has at most 6 KB', () => expect(statSync(join(ROOT, 'README.md')).size).toBeLessThanOrEqual(6 * 1024))
