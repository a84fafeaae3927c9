import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listChecks } from '../../../src/tools/examine/scenarios/contents.ts'
import type { CheckReport } from '../../../src/tools/examine/examination.ts'
import { examineCommand } from './examined.ts'

const built = mkdtempSync(join(tmpdir(), 'vendor-cloud-clients-'))
afterAll(() => rmSync(built, { recursive: true }))

/** Returns the command that runs a file. If the language requires it, first builds the file. */
const languages: Readonly<Record<string, (file: string) => readonly string[]>> = {
  Python: (file) => ['python3', `examples/clients/python/${file}.py`],
  PHP: (file) => ['php', `examples/clients/php/${file}.php`],
  Go: (file) => {
    execFileSync('go', ['build', '-o', join(built, file), `examples/clients/go/${file}.go`])
    return [join(built, file)]
  },
  Java: (file) => {
    const name = file.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
    execFileSync('javac', ['-d', built, `examples/clients/java/${name}.java`])
    // With this JIT compiler, Java starts in half the time. The other compiler is faster only after minutes.
    return ['java', '-XX:TieredStopAtLevel=1', '-cp', built, name]
  },
}

/**
 * Checks that may stay uncovered. The first check is covered only if it fails. The others need compression, which some
 * clients do not request.
 */
const SILENT = /^(?:keeps-access-to-the-end|.*-takes-http-gzip)$/

const toText = ({ name, verdict, scenario, problem, evidence }: CheckReport) =>
  `${name}: ${verdict} in ${scenario}: ${problem ?? evidence.map(({ path, status }) => `${path} ${status}`).join(', ')}`

test.concurrent.each(
  Object.entries(languages).flatMap(([name, commandOf]) => [
    ['stream_consumer', name, 'events', commandOf] as const,
    ['billing_caller', name, 'billing', commandOf] as const,
  ]),
)('the example client %s in %s passes every check of the %s API', async (file, _, document, commandOf) => {
  // A correct client never reaches the timeout. The timeout is long because the machine may be busy.
  const { grade, checks, scenarios } = await examineCommand(document, commandOf(file), '--timeout', '60')
  const isRight = ({ name, verdict }: CheckReport) =>
    verdict === 'passed' || (verdict === 'not covered' && SILENT.test(name))
  expect(checks.filter((check) => !isRight(check)).map(toText)).toEqual([])
  expect(checks.map(({ name }) => name).toSorted()).toEqual(
    listChecks()
      .filter((check) => check.document === document)
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(scenarios.filter(({ problem }) => problem !== undefined)).toEqual([])
  expect(grade).toBe('A')
})
