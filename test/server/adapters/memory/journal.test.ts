import { expect, test } from 'vitest'
import { createMemoryJournal } from '../../../../src/server/adapters/memory/journal.ts'
import type { JournalRecord } from '../../../../src/server/ports/journal.ts'
import { idsOf } from '../../../helpers/journal.ts'

const record = (weight = 1): JournalRecord => ({
  kind: 'request',
  at: 0,
  weight,
  read: (id) => ({ id, kind: 'request', at: '2026-05-06T16:00:00.000Z' }),
})

test('the newest are kept, as many as it may hold', async () => {
  const journal = createMemoryJournal(3)
  for (let i = 0; i < 7; i++) journal.record(record())
  expect(await idsOf(journal)).toEqual([7, 6, 5])
})

test('heavy entries push out older ones; the newest stays however heavy', async () => {
  const journal = createMemoryJournal(100, 1000)
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
  const journal = createMemoryJournal(10, 1000)
  for (let i = 0; i < 1000; i++) journal.record(record(i % 7 === 0 ? 400 : 50))
  expect(await idsOf(journal)).toHaveLength(10)
  for (let i = 0; i < 100; i++) journal.record(record(300))
  expect(await idsOf(journal)).toHaveLength(3)
})

test('an entry is found by its id as long as it is kept', () => {
  const journal = createMemoryJournal(3)
  for (let i = 0; i < 7; i++) journal.record(record())
  expect([0, 4, 5, 7, 8].map((id) => journal.find(id)?.read(id).id)).toEqual([undefined, undefined, 5, 7, undefined])
})

test('a scan keeps to its bounds', async () => {
  const journal = createMemoryJournal()
  for (let i = 0; i < 7; i++) journal.record(record())
  expect(await idsOf(journal, { before: 6, after: 2 })).toEqual([5, 4, 3])
})

test('cleared, it begins again, and a scan under way ends', async () => {
  const journal = createMemoryJournal(3)
  for (let i = 0; i < 7; i++) journal.record(record())
  const ids: number[] = []
  for (const { id } of journal.scan()) {
    ids.push(id)
    journal.clear()
    journal.record(record())
  }
  expect([ids, await idsOf(journal)]).toEqual([[7], [1]])
})

test('who waits is woken by the next record, and told when it is over', async () => {
  const journal = createMemoryJournal()
  const waiting = journal.next(0, 60_000)
  journal.record(record())
  expect(await waiting).toBeGreaterThan(0)
  expect(await journal.next(1, 0)).toBe(0)
  expect(await journal.next(0, 60_000)).toBe(60_000)
})
