import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeEach, type RunnerTestCase } from 'vitest'

/** Tests that expect the default of a choice, by choice and file. They must fail with any other value. */
const expectedFailures: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-failures.json'), 'utf8'),
)
const expected = expectedFailures[process.env['CHOICE']!] ?? {}

beforeEach(({ task }) => {
  const file = relative(join(import.meta.dirname, '../../server'), task.file.filepath)
  if (expected[file]?.includes(fullNameOf(task))) Object.assign(task, { fails: true })
})

/** Returns the names of the suites of a test, followed by the name of the test. */
function fullNameOf({ name, suite }: Pick<RunnerTestCase, 'name' | 'suite'>): string {
  return suite ? `${fullNameOf(suite)} ${name}` : name
}
