import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importGraph, readSources } from './helpers/modules.ts'

const SRC = join(import.meta.dirname, '../src')
const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|tsx|css)$/.test(path))
/** Lines of each file, by its path below `src`. */
const files = new Map(
  paths.map((path) => [path, readFileSync(join(SRC, path), 'utf8').split('\n').length - 1] as const),
)

/**
 * Lines of .ts, .tsx and .css. A commit that needs more raises the number and says why. A file belongs to the first
 * module with a prefix of its path.
 */
const budgets: readonly (readonly [module: string, lines: number, prefixes: readonly string[]])[] = [
  ['contract', 9502, ['contract/']],
  [
    'control, journal, recording, telemetry, chaos',
    5086,
    ['server/control/', 'server/journal/', 'server/recording/', 'server/telemetry/', 'server/chaos/'],
  ],
  [
    'domain and documents',
    8058,
    ['server/domain/', 'server/support/', 'server/events/', 'server/wallet/', 'server/billing/', 'server/streams/'],
  ],
  [
    'adapters, worlds, seed, in-process',
    7354,
    ['server/adapters/', 'server/worlds/', 'server/seed/', 'server/in-process/'],
  ],
  ['http, root, ports', 5035, ['server/']],
  ['console', 9172, ['tools/console/']],
  ['mcp, compare, proxy', 4276, ['tools/mcp/', 'tools/compare/', 'tools/proxy/']],
  ['other tools', 7127, ['tools/']],
  ['command line and library', 4294, ['cli/', 'main.ts', 'index.ts']],
]

const moduleOf = (path: string) => budgets.find(([, , prefixes]) => prefixes.some((each) => path.startsWith(each)))?.[0]

test('every file belongs to a module with a budget', () => {
  expect(files.size).toBeGreaterThan(100)
  expect([...files.keys()].filter((path) => !moduleOf(path))).toEqual([])
})

test.each(budgets)('%s has at most %i lines', (module, most) => {
  const lines = [...files].reduce((sum, [path, count]) => sum + (moduleOf(path) === module ? count : 0), 0)
  expect(lines).toBeLessThanOrEqual(most)
})

test('a folder holds at most 25 files', () => {
  const counts = new Map<string, number>()
  for (const path of files.keys()) {
    const folder = path.split('/').slice(0, -1).join('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  expect([...counts].filter(([, count]) => count > 25)).toEqual([])
})

/** A helper with one caller belongs into its caller's file. This number only falls. */
const SMALL_FILES_WITH_ONE_IMPORTER = 37

test('few small files have a single importer in their own folder', () => {
  const importers = new Map<string, string[]>()
  for (const [path, imported] of importGraph(readSources(SRC))) {
    for (const each of imported) importers.set(each, [...(importers.get(each) ?? []), path])
  }
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
  const small = [...files].filter(([path, lines]) => {
    const [only, ...others] = importers.get(path) ?? []
    return lines < 70 && only !== undefined && others.length === 0 && folderOf(only) === folderOf(path)
  })
  expect(small.length).toBeLessThanOrEqual(SMALL_FILES_WITH_ONE_IMPORTER)
})
