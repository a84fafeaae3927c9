import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCirclesOfFiles, findCirclesOfSubRooms, findForeignImports, readSources } from './helpers/rooms.ts'

const SRC = join(import.meta.dirname, '../src')
const sources = readSources(SRC)

test('every import stays within the rules of its room', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(findForeignImports(sources)).toEqual([])
})

test('no files import each other in a circle, and no sub-rooms of a room', () => {
  expect(findCirclesOfFiles(sources)).toEqual([])
  expect(findCirclesOfSubRooms(sources)).toEqual([])
})

test('a circle planted among files is found, of types and over several too', () => {
  const files = [
    { path: 'domain/a.ts', text: `import type { B } from './b/b.ts'` },
    { path: 'domain/b/b.ts', text: `await import('../c.ts')` },
    { path: 'domain/c.ts', text: `export * from './a.ts'\nimport './d.ts'` },
    { path: 'domain/d.ts', text: `import { z } from 'zod'` },
  ]
  expect(findCirclesOfFiles(files)).toEqual([['domain/a.ts', 'domain/b/b.ts', 'domain/c.ts']])
})

test('a circle planted among the sub-rooms of a room is found, though no files make one', () => {
  const files = [
    { path: 'domain/dealer/a.ts', text: `import '../guest/a.ts'` },
    { path: 'domain/guest/a.ts', text: '' },
    { path: 'domain/guest/b.ts', text: `import type { B } from '../dealer/b.ts'` },
    { path: 'domain/dealer/b.ts', text: `import '../../ports.ts'` },
    { path: 'http/input/a.ts', text: `import '../../domain/guest/a.ts'` },
  ]
  expect(findCirclesOfFiles(files)).toEqual([])
  expect(findCirclesOfSubRooms(files)).toEqual([['domain/dealer', 'domain/guest']])
})

test.each([
  ['a value', 'domain/dealer/tickets.ts', `import { readFileSync } from 'node:fs'`, 'node:fs'],
  ['a type', 'domain/tickets.ts', `import type { FastifyRequest } from 'fastify'`, 'fastify'],
  [
    'several lines',
    'schemas/ticket.ts',
    `import {\n  DomainError,\n} from "../domain/errors.ts"`,
    '../domain/errors.ts',
  ],
  ['an effect', 'http/metrics.ts', `import 'reflect-metadata'`, 'reflect-metadata'],
  ['a re-export', 'support/plugin.ts', `export * from '../billing/xml.ts'`, '../billing/xml.ts'],
  [
    'a dynamic import',
    'app.ts',
    `const store = await import('./adapters/memory-store.ts')`,
    './adapters/memory-store.ts',
  ],
  ['a template', 'wallet/plugin.ts', 'const events = import(`../events/hub.ts`)', '../events/hub.ts'],
  ['a target made at run time', 'control/plugin.ts', 'import(`../${room}.ts`)', 'import(`../${room}.ts`)'],
  ['a target in a variable', 'control/plugin.ts', 'import(room)', 'import(room)'],
  ['a package of a like name', 'schemas/ticket.ts', `import { z } from 'zodiac'`, 'zodiac'],
  ['a file outside the rooms', 'config.ts', `import pack from '../package.json'`, '../package.json'],
  ['a room that nobody knows', 'utils/text.ts', `import { z } from 'zod'`, 'zod'],
])('%s planted where it may not be is found', (_, path, text, target) => {
  expect(findForeignImports([{ path, text }])).toEqual([`${path} → ${target}`])
})

test('what a room may use is let through, and a comment is no import', () => {
  const text = `import { z } from 'zod/v4'
    import './other.ts'
    // import 'node:fs'
    await import('libphonenumber-js/min')`
  expect(findForeignImports([{ path: 'schemas/ticket.ts', text }])).toEqual([])
})

test('the map names every room and every file at the root, and none that is gone', () => {
  const map = readFileSync(join(SRC, 'README.md'), 'utf8')
  const rooms = readdirSync(SRC, { withFileTypes: true })
    .filter(({ name }) => name !== 'README.md')
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  const named = [...map.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(rooms.toSorted())
  const files = [...map.matchAll(/`([a-z-]+\/[a-z/-]+\.ts)`/g)].map(([, path]) => path!)
  expect(files.filter((path) => !existsSync(join(SRC, path)))).toEqual([])
})

test('the console takes nothing but types from the schemas: browsers load no checks', () => {
  const values = sources
    .filter(({ path }) => path.startsWith('console/'))
    .flatMap(({ path, text }) => [...text.matchAll(/^import (?!type )[^']*'[./]+\/schemas\//gm)].map(() => path))
  expect(values).toEqual([])
})
