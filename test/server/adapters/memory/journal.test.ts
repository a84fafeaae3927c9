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

test('the journal stores the newest entries, up to its limit', async () => {
  const journal = createMemoryJournal(3)
  for (let i = 0; i < 7; i++) journal.record(record())
  expect(await idsOf(journal)).toEqual([7, 6, 5])
})

test('large journal entries displace older ones, and the newest entry is always stored', async () => {
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

test('the size of the journal is correct after its ring buffer has wrapped many times', async () => {
  const journal = createMemoryJournal(10, 1000)
  for (let i = 0; i < 1000; i++) journal.record(record(i % 7 === 0 ? 400 : 50))
  expect(await idsOf(journal)).toHaveLength(10)
  for (let i = 0; i < 100; i++) journal.record(record(300))
  expect(await idsOf(journal)).toHaveLength(3)
})

test('a journal entry can be found by ID as long as it is stored', () => {
  const journal = createMemoryJournal(3)
  for (let i = 0; i < 7; i++) journal.record(record())
  expect([0, 4, 5, 7, 8].map((id) => journal.find(id)?.read(id).id)).toEqual([undefined, undefined, 5, 7, undefined])
})

test('a journal scan returns only the entries between the IDs given as before and after', async () => {
  const journal = createMemoryJournal()
  for (let i = 0; i < 7; i++) journal.record(record())
  expect(await idsOf(journal, { before: 6, after: 2 })).toEqual([5, 4, 3])
})

test('clearing the journal restarts its IDs and ends a scan in progress', async () => {
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

test('a wait for the next record ends when the record arrives', async () => {
  const journal = createMemoryJournal()
  const waiting = journal.next(0, 60_000)
  journal.record(record())
  expect(await waiting).toBeGreaterThan(0)
  expect(await journal.next(1, 0)).toBe(0)
  expect(await journal.next(0, 60_000)).toBe(60_000)
})
