import { expect, test } from 'vitest'
import { createMemoryJournal } from '../../../../src/server/adapters/memory/journal.ts'
import { nodeTurns } from '../../../../src/server/adapters/node/turns.ts'
import type { JournalRecord } from '../../../../src/server/ports/journal.ts'
import { idsOf } from '../../../helpers/journal.ts'

const record = (weight = 1): JournalRecord => ({
  kind: 'request',
  at: 0,
  weight,
  read: (id) => ({ id, kind: 'request', at: '2026-05-06T16:00:00.000Z' }),
})

test('the newest are kept, as many as it may hold', async () => {
  const journal = createMemoryJournal(nodeTurns, 3)
  for (let i = 0; i < 7; i++) journal.record(record())
  expect(await idsOf(journal)).toEqual([7, 6, 5])
})

test('heavy entries push out older ones; the newest stays however heavy', async () => {
  const journal = createMemoryJournal(nodeTurns, 100, 1000)
  for (let i = 0; i < 9; i++) journal.record(record(100))
  expect(await idsOf(journal)).toHaveLength(9)
  journal.record(record(500))
  expect(await idsOf(journal)).toEqual([10, 9, 8, 7, 6, 5])
  journal.record(record(5000))
  expect(await idsOf(journal)).toEqual([11])
  journal.record(record())
  expect(await idsOf(journal)).toEqual([12])
})

test('weight is counted right over many turns of the ring', async () => {
  const journal = createMemoryJournal(nodeTurns, 10, 1000)
  for (let i = 0; i < 1000; i++) journal.record(record(i % 7 === 0 ? 400 : 50))
  expect(await idsOf(journal)).toHaveLength(10)
  for (let i = 0; i < 100; i++) journal.record(record(300))
  expect(await idsOf(journal)).toHaveLength(3)
})

test('an entry is found by its id as long as it is kept', () => {
  const journal = createMemoryJournal(nodeTurns, 3)
  for (let i = 0; i < 7; i++) journal.record(record())
  expect([0, 4, 5, 7, 8].map((id) => journal.find(id)?.read(id).id)).toEqual([undefined, undefined, 5, 7, undefined])
})

test('a scan keeps to its bounds', async () => {
  const journal = createMemoryJournal(nodeTurns)
  for (let i = 0; i < 7; i++) journal.record(record())
  expect(await idsOf(journal, { before: 6, after: 2 })).toEqual([5, 4, 3])
})

test('cleared, it begins again, and a scan under way ends', async () => {
  const journal = createMemoryJournal(nodeTurns, 3)
  for (let i = 0; i < 7; i++) journal.record(record())
  const ids: number[] = []
  for await (const { id } of journal.scan()) {
    ids.push(id)
    journal.clear()
    journal.record(record())
  }
  expect([ids, await idsOf(journal)]).toEqual([[7], [1]])
})

test('who waits is woken by the next record, and told when it is over', async () => {
  const journal = createMemoryJournal(nodeTurns)
  const waiting = journal.next(0, 60_000)
  journal.record(record())
  expect(await waiting).toBeGreaterThan(0)
  expect(await journal.next(1, 0)).toBe(0)
  expect(await journal.next(0, 60_000)).toBe(60_000)
})

test('a reader gives way to others every few milliseconds', async () => {
  const journal = createMemoryJournal(nodeTurns)
  for (let i = 0; i < 1000; i++) journal.record(record())
  let turns = 0
  let read = 0
  const others = setInterval(() => turns++, 0)
  for await (const _ of journal.scan()) {
    const until = performance.now() + 0.2
    while (performance.now() < until);
    read++
  }
  clearInterval(others)
  expect(read).toBe(1000)
  expect(turns).toBeGreaterThan(10)
})
