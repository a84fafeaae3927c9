import { expect, test } from 'vitest'
import { listChecks } from '../../src/examine/book/contents.ts'
import type { CheckReport } from '../../src/examine/examination.ts'
import { examineCommand } from './examined.ts'

interface Language {
  stream: readonly string[]
  billing: readonly string[]
}

const languages: Readonly<Record<string, Language>> = {
  Python: {
    stream: ['python3', 'clients/python/stream_consumer.py'],
    billing: ['python3', 'clients/python/billing_caller.py'],
  },
  PHP: {
    stream: ['php', 'clients/php/stream_consumer.php'],
    billing: ['php', 'clients/php/billing_caller.php'],
  },
}

const toWords = ({ name, verdict, scenario, trouble, evidence }: CheckReport) =>
  `${name}: ${verdict} in ${scenario}: ${trouble ?? evidence.map(({ path, status }) => `${path} ${status}`).join(', ')}`

test.concurrent.each(
  Object.entries(languages).flatMap(([name, { stream, billing }]) => [
    ['stream consumer', name, 'events', stream] as const,
    ['SOAP caller', name, 'billing', billing] as const,
  ]),
)('the %s in %s meets every check on %s and passes it', async (_, __, document, command) => {
  const { grade, checks, scenarios } = await examineCommand(document, command)
  expect(checks.filter(({ verdict }) => verdict !== 'passed').map(toWords)).toEqual([])
  expect(checks.map(({ name }) => name).toSorted()).toEqual(
    listChecks()
      .filter((check) => check.document === document)
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(scenarios.filter(({ trouble }) => trouble !== undefined)).toEqual([])
  expect(grade).toBe('A')
})
