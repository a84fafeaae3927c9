import { expect, test } from 'vitest'
import { verifyJournal } from '../../../../src/server/domain/control/journal-verification.ts'
import type { JournalRecord } from '../../../../src/server/ports/journal.ts'
import { START, buildTestPorts } from '../../../helpers/test-ports.ts'

const ENTRIES = 100

function fill() {
  const ports = buildTestPorts()
  const { journal } = ports
  const reads = { whole: 0, request: 0 }
  const at = Date.parse(START)
  for (let i = 1; i <= ENTRIES; i++) {
    const record: JournalRecord = {
      kind: 'request',
      at,
      weight: 1,
      read: (id, only) => {
        reads[only ?? 'whole']++
        return { id, kind: 'request', at: START, request: { headers: {}, body: { i } } }
      },
    }
    journal.record(record)
  }
  return { ports, reads }
}

test('21 many who verify by body at once parse each entry twice at most, and no reply', async () => {
  const { ports, reads } = fill()
  const verdicts = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      verifyJournal(ports, { match: { body: { i: 200 + i }, header: { a: 'b' } }, withinMs: 0 }),
    ),
  )
  expect(verdicts.map(({ matched, nearest }) => [matched, nearest.length])).toEqual(Array(20).fill([false, 3]))
  expect(reads.request).toBeLessThanOrEqual(2 * ENTRIES)
  expect(reads.whole).toBe(20 * 3)
})

test('21 many who verify at once read an entry or two between turns, held up or shown', async () => {
  const { ports, reads } = fill()
  const { journal } = ports
  let [most, at] = [0, 0]
  const count = () => reads.whole + reads.request
  const give = () => {
    most = Math.max(most, count() - at)
    at = count()
    return undefined
  }
  const verify = (i: number, withinMs: number) =>
    verifyJournal({ ...ports, turns: { give } }, { match: { body: { i } }, withinMs })
  const read: JournalRecord['read'] = (id, only) => {
    reads[only ?? 'whole']++
    return { id, kind: 'request', at: START, request: { headers: {}, body: {} } }
  }
  const held: JournalRecord = { kind: 'request', at: Date.parse(START), weight: 1, read, waits: true }
  const ids = Array.from({ length: 20 }, () => journal.record(held))
  const verdicts = Array.from({ length: 20 }, (_, i) => verify(i % 2 ? i : 200 + i, 60_000))
  await Promise.all(Array.from({ length: 3 }, () => verify(300, 0)))
  for (const id of ids) journal.complete(id, held, { ...held, waits: false })
  journal.end(new Error('over'))
  await Promise.allSettled(verdicts)
  give()
  expect(reads.whole).toBeGreaterThan(10)
  // An entry that fits is read twice, to be judged and whole; another caller may have read its last just before.
  expect(most).toBeLessThanOrEqual(3)
})

test('5 what comes nearest is left out when it was not found by the time that the answer is due', async () => {
  const { ports } = fill()
  /** A clock that is further on by this each time it is read. */
  const advanceBy = (step: number) => {
    let realNow = 0
    const read = () => {
      realNow += step
      return { ...ports.clockControl.read(), realNow }
    }
    return { ...ports.clockControl, read }
  }
  const clockControl = advanceBy(100)
  const withinMs = 0
  const verdict = await verifyJournal({ ...ports, clockControl }, { match: { body: { i: 'none' } }, withinMs })
  expect([verdict.matched, verdict.count, verdict.nearest.map(({ id }) => id)]).toEqual([false, 0, [100, 99, 98]])
  const slow = advanceBy(1000)
  const late = await verifyJournal({ ...ports, clockControl: slow }, { match: { body: { i: 'none' } }, withinMs })
  expect([late.matched, late.count, late.nearest]).toEqual([false, 0, []])
})
