import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { operationTable } from '../../helpers/operation-table.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** With more workers, each of them would load the files again. */
const ONE_THREAD = ['--pool=threads', '--maxWorkers=1']
const SECTION = '## Declared statuses that never occur'

/** All operations also declare these statuses. */
const EVERYWHERE = [200, 401, 403]

test('every declared status has a test that names it, or a reason in docs/support-api.md', async () => {
  const tested = (await listTitles()).flatMap(readTitle)
  const excused = readReasons()
  const declared = operationTable.flatMap(({ operation, also }) =>
    [...EVERYWHERE, ...also].map((status) => `${operation}: ${status}`),
  )
  expect(declared.filter((each) => !tested.includes(each) && !excused.includes(each))).toEqual([])
  expect(excused.filter((each) => tested.includes(each) || !declared.includes(each))).toEqual([])
  expect(new Set(excused).size).toBe(excused.length)
})

/** Returns the titles that vitest creates from tables and suites. Vitest loads the files, but runs no test. */
async function listTitles(): Promise<string[]> {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'list',
    'test/server/support',
    '--json',
    '--no-isolate',
    ...ONE_THREAD,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 })
  const listed = JSON.parse(stdout) as { name: string }[]
  return listed.map(({ name }) => name.replaceAll(' > ', ' '))
}

/** For `operations 9 and 10 return 401 for a, and 403 for b`, returns `9: 401`, `9: 403`, `10: 401` and `10: 403`. */
function readTitle(title: string): string[] {
  const [, who, first, rest] =
    /^operations? (\d+(?:(?:, | and )\d+)*) returns? (?:the same )?(\d{3})\b(.*)$/.exec(title) ?? []
  if (!who) return []
  const statuses = [first, ...[...rest!.matchAll(/\band (\d{3}) for\b/g)].map(([, status]) => status)]
  return who.match(/\d+/g)!.flatMap((operation) => statuses.map((status) => `${operation}: ${status}`))
}

function readReasons(): string[] {
  const page = readFileSync(join(ROOT, 'docs/support-api.md'), 'utf8')
  const [section = ''] = page.slice(page.indexOf(SECTION) + SECTION.length).split('\n## ')
  const rows = [...section.matchAll(/^\| ([\d, to]+) \| ([\d, ]+) \| \S.+\|$/gm)]
  return rows.flatMap(([, operations, statuses]) =>
    readNumbers(operations!).flatMap((operation) => readNumbers(statuses!).map((status) => `${operation}: ${status}`)),
  )
}

function readNumbers(text: string): number[] {
  return text.split(', ').flatMap((part) => {
    const [from, to] = part.split(' to ').map(Number)
    return Array.from({ length: (to ?? from!) - from! + 1 }, (_, i) => from! + i)
  })
}
