import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeEach, type RunnerTestCase } from 'vitest'

/** Tests that expect the default value of a choice, by choice and file. With any other value, these tests must fail. */
const expectedFailures: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-failures.json'), 'utf8'),
)
const expected = expectedFailures[process.env['CHOICE']!] ?? {}

beforeEach(({ task }) => {
  const file = relative(join(import.meta.dirname, '../../server'), task.file.filepath)
  if (expected[file]?.includes(fullNameOf(task))) Object.assign(task, { fails: true })
})

/** Returns the full name of a test: the names of its suites, followed by its own name. */
function fullNameOf({ name, suite }: Pick<RunnerTestCase, 'name' | 'suite'>): string {
  return suite ? `${fullNameOf(suite)} ${name}` : name
}
