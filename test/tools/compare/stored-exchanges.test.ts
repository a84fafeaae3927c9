import { expect, test } from 'vitest'
import { StoredExchanges } from '../../../src/tools/compare/stored-exchanges.ts'

const at = '2026-05-06T16:00:00.000Z'
const call = { method: 'GET', path: '/a', headers: {} }

function keep(count: number, body: string): StoredExchanges {
  const kept = new StoredExchanges()
  for (let step = 1; step <= count; step++) {
    kept.addStep({ step, at, call, reply: {} })
    kept.addReply(step, { status: 200, body })
  }
  return kept
}

test.each([
  ['all calls of a short case', 3, '', 3],
  ['the first thousand calls', 1002, '', 1000],
  ['calls with up to 32 MB of responses', 3, 'x'.repeat(20_000_000), 1],
])('trials repeat exactly the calls whose responses are stored, which are %s', (_, count, body, last) => {
  const kept = keep(count, body)
  expect([kept.steps.length, kept.steps.at(-1)?.step]).toEqual([last, last])
  for (const step of kept.steps) expect(kept.again().lacks({ ...step, call, reply: {} })).toBe(false)
})
