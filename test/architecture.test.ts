import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import {
  findCirclesOfFiles,
  findImportCycles,
  findFolderCycles,
  findClimbingImports,
  findForeignImports,
  findValueImports,
  readSources,
} from './helpers/modules.ts'

const SRC = join(import.meta.dirname, '../src')
const sources = readSources(SRC)

test('no source file violates the import rules of its module', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(findForeignImports(sources)).toEqual([])
})

test('imports from another layer or from two or more folders up start with #', () => {
  expect(findClimbingImports(sources)).toEqual([])
  const text = `import './a.ts'\nimport '../a.ts'\nimport '../../a.ts'\nimport '#contract/operation.ts'`
  expect(findClimbingImports([{ path: 'server/domain/dealer/tickets.ts', text }])).toEqual([
    'server/domain/dealer/tickets.ts → ../../a.ts',
  ])
  expect(findClimbingImports([{ path: 'cli/run.ts', text: `import '../server/server.ts'` }])).toEqual([
    'cli/run.ts → ../server/server.ts',
  ])
})

/**
 * Returns whether a file derives a `Ports` object from another one, or keeps mutable state in a module of the domain.
 */
const hiddenState = (path: string, text: string) =>
  /Object\.create\(ports/.test(text) ||
  (path.startsWith('server/domain/') && /^(?:export )?(?:let |var |const .*= new (?:Weak)?(?:Map|Set)\b)/m.test(text))

test('no file copies the ports by Object.create, and the domain has no module-level state', () => {
  expect(sources.filter(({ path, text }) => hiddenState(path, text)).map(({ path }) => path)).toEqual([])
  expect(hiddenState('server/http/a.ts', 'return Object.create(ports) as Ports')).toBe(true)
  expect(hiddenState('server/domain/a.ts', 'const seen: WeakMap<object, string> = new WeakMap()')).toBe(true)
  expect(hiddenState('server/domain/a.ts', 'export let count = 0')).toBe(true)
  expect(hiddenState('server/domain/a.ts', 'function f() {\n  const seen = new Map()\n}')).toBe(false)
})

test('no files, folders or modules import each other in a cycle', () => {
  expect(findCirclesOfFiles(sources)).toEqual([])
  expect(findImportCycles(sources)).toEqual([])
  expect(findFolderCycles(sources)).toEqual([])
})

test('the files and folders of the simulation do not import each other in a cycle', () => {
  const files = readSources(join(SRC, '../test/simulation'))
    .filter(({ path }) => !path.endsWith('.d.ts'))
    .map(({ path, text }) => ({ path: `test/simulation/${path}`, text }))
  expect(files.length).toBeGreaterThan(30)
  expect(findCirclesOfFiles(files)).toEqual([])
  expect(findFolderCycles(files)).toEqual([])
})

test('an import cycle across several files is found, including type imports and dynamic imports', () => {
  const files = [
    { path: 'domain/a.ts', text: `import type { B } from './b/b.ts'` },
    { path: 'domain/b/b.ts', text: `await import('../c.ts')` },
    { path: 'domain/c.ts', text: `export * from './a.ts'\nimport './d.ts'` },
    { path: 'domain/d.ts', text: `import { z } from 'zod'` },
  ]
  expect(findCirclesOfFiles(files)).toEqual([['domain/a.ts', 'domain/b/b.ts', 'domain/c.ts']])
})

test('an import cycle between folders is found even if the files form no cycle', () => {
  const files = [
    { path: 'server/domain/dealer/a.ts', text: `import '../guest/a.ts'` },
    { path: 'server/domain/guest/a.ts', text: '' },
    { path: 'server/domain/guest/b.ts', text: `import type { B } from '../dealer/b.ts'` },
    { path: 'server/domain/dealer/b.ts', text: `import '../../ports.ts'` },
    { path: 'server/http/input/a.ts', text: `import '../../domain/guest/a.ts'` },
  ]
  expect(findCirclesOfFiles(files)).toEqual([])
  expect(findImportCycles(files)).toEqual([])
  expect(findFolderCycles(files)).toEqual([['server/domain/dealer', 'server/domain/guest']])
})

test('an import cycle between modules of a layer is found', () => {
  const files = [
    { path: 'server/http/a.ts', text: `import '../journal/a.ts'` },
    { path: 'server/journal/a.ts', text: '' },
    { path: 'server/journal/b.ts', text: `import '../http/b.ts'` },
    { path: 'server/http/b.ts', text: '' },
  ]
  expect(findCirclesOfFiles(files)).toEqual([])
  expect(findImportCycles(files)).toEqual([['server/http', 'server/journal']])
})

test.each([
  ['an imported value', 'server/domain/dealer/tickets.ts', `import { readFileSync } from 'node:fs'`, 'node:fs'],
  ['an imported type', 'server/domain/tickets.ts', `import type { FastifyRequest } from 'fastify'`, 'fastify'],
  [
    'an import on several lines',
    'contract/records/ticket.ts',
    `import {\n  DomainError,\n} from "../../server/domain/errors.ts"`,
    '../../server/domain/errors.ts',
  ],
  ['an import for its side effect', 'server/http/metrics.ts', `import 'reflect-metadata'`, 'reflect-metadata'],
  ['a re-export', 'server/support/plugin.ts', `export * from '../billing/xml.ts'`, '../billing/xml.ts'],
  [
    'a dynamic import',
    'server/app.ts',
    `const store = await import('./adapters/memory-store.ts')`,
    './adapters/memory-store.ts',
  ],
  [
    'a dynamic import with a template string',
    'server/wallet/plugin.ts',
    'const events = import(`../events/hub.ts`)',
    '../events/hub.ts',
  ],
  [
    'a dynamic import with a computed path',
    'server/control/plugin.ts',
    'import(`../${room}.ts`)',
    'import(`../${room}.ts`)',
  ],
  ['a dynamic import with a variable', 'server/control/plugin.ts', 'import(room)', 'import(room)'],
  ['a package with a similar name', 'contract/records/ticket.ts', `import { z } from 'zodiac'`, 'zodiac'],
  [
    'a Node module in the contract',
    'contract/files/case.ts',
    `import { createHash } from 'node:crypto'`,
    'node:crypto',
  ],
  [
    'a server import in a tool',
    'tools/cases/player/case-player.ts',
    `import '../../../server/ports.ts'`,
    '../../../server/ports.ts',
  ],
  [
    'a tool import in the server',
    'server/recording/recorder.ts',
    `import '../../tools/cases/shrink.ts'`,
    '../../tools/cases/shrink.ts',
  ],
  [
    'an import from outside the source folder',
    'server/config.ts',
    `import pack from '../../package.json'`,
    '../../package.json',
  ],
  ['an import in an unknown module', 'server/utils/text.ts', `import { z } from 'zod'`, 'zod'],
])('the import rules report %s', (_, path, text, target) => {
  expect(findForeignImports([{ path, text }])).toEqual([`${path} → ${target}`])
})

test('the import rules accept allowed imports and ignore imports in comments', () => {
  const text = `import { z } from 'zod/v4'
    import './other.ts'
    // import 'node:fs'
    await import('libphonenumber-js/min')`
  expect(findForeignImports([{ path: 'contract/records/ticket.ts', text }])).toEqual([])
})

test('the source overview lists every module and top-level file of src, and nothing else', () => {
  const map = readFileSync(join(SRC, 'README.md'), 'utf8')
  const wings = ['contract', 'server', 'tools']
  const modules = ['', ...wings].flatMap((wing) =>
    readdirSync(join(SRC, wing), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .map((name) => (wing ? `${wing}/${name}` : name)),
  )
  const named = [...map.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  const isMapped = (name: string) => name !== 'README.md' && !wings.includes(name.replace('/', ''))
  expect(named.toSorted()).toEqual(modules.filter(isMapped).toSorted())
  const files = [...map.matchAll(/`([a-z-]+\/[a-z/-]+\.ts)`/g)].map(([, path]) => path!)
  expect(files.filter((path) => !existsSync(join(SRC, path)))).toEqual([])
})

test('the console does not import zod, directly or through other modules', () => {
  const inputs = findValueImports(sources, 'tools/console/main.tsx')
  expect(inputs).toContain('tools/client/world-client.ts')
  expect(inputs).not.toContain('zod')
})

test('the wallet commands do not import Fastify, directly or through other modules', () => {
  const inputs = findValueImports(sources, 'cli/wallet/wallet.ts')
  expect(inputs).toContain('server/domain/wallet/cards.ts')
  expect(inputs.filter((each) => each.includes('fastify') || each.startsWith('server/http/'))).toEqual([])
})

test('a schema that a page imports through other modules is found', () => {
  const files = [
    { path: 'tools/console/main.tsx', text: `import { a } from './a.ts'` },
    { path: 'tools/console/a.ts', text: `import type { T } from '../../contract/b.ts'\nexport * from '../c.ts'` },
    { path: 'contract/b.ts', text: `import { z } from 'zod'` },
    { path: 'tools/c.ts', text: '' },
  ]
  expect(findValueImports(files, 'tools/console/main.tsx')).toEqual(['tools/console/a.ts', 'tools/c.ts'])
  const planted = files.with(3, { path: 'tools/c.ts', text: `import {\n  b,\n} from '../contract/b.ts'` })
  expect(findValueImports(planted, 'tools/console/main.tsx')).toContain('zod')
})

test('no folder of src, test, bench or scripts has more than 25 files', () => {
  const root = join(SRC, '..')
  const folders = ['src', 'test', 'bench', 'scripts'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [relative(root, entry.parentPath)] : [],
    ),
  )
  expect(folders.length).toBeGreaterThan(900)
  const full = [...new Set(folders)].filter((folder) => folders.filter((each) => each === folder).length > 25)
  expect(full).toEqual([])
})
