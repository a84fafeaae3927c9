import { expect, test } from 'vitest'
import { createMemoryJournal } from '../../../src/adapters/memory/journal.ts'
import type { JournalEntry } from '../../../src/schemas/control/journal.ts'

const draw = (id: number): JournalEntry => ({ id, kind: 'request', at: '2026-05-06T16:00:00.000Z' })
const idsOf = (journal: ReturnType<typeof createMemoryJournal>) => [...journal.entries()].map(({ id }) => id)

test('the newest are kept, as many as it may hold', () => {
  const journal = createMemoryJournal(3)
  for (let i = 0; i < 7; i++) journal.record(draw, 1)
  expect([idsOf(journal), journal.size()]).toEqual([[7, 6, 5], 3])
})

test('heavy entries push out older ones; the newest stays however heavy', () => {
  const journal = createMemoryJournal(100, 1000)
  for (let i = 0; i < 9; i++) journal.record(draw, 100)
  expect(journal.size()).toBe(9)
  journal.record(draw, 500)
  expect(idsOf(journal)).toEqual([10, 9, 8, 7, 6, 5])
  journal.record(draw, 5000)
  expect(idsOf(journal)).toEqual([11])
  journal.record(draw, 1)
  expect(idsOf(journal)).toEqual([12])
})

test('weight is counted right over many turns of the ring', () => {
  const journal = createMemoryJournal(10, 1000)
  for (let i = 0; i < 1000; i++) journal.record(draw, i % 7 === 0 ? 400 : 50)
  expect(journal.size()).toBe(10)
  for (let i = 0; i < 100; i++) journal.record(draw, 300)
  expect(journal.size()).toBe(3)
})

test('cleared, it begins again', () => {
  const journal = createMemoryJournal(3)
  for (let i = 0; i < 7; i++) journal.record(draw, 1)
  journal.clear()
  expect([idsOf(journal), journal.size()]).toEqual([[], 0])
  journal.record(draw, 1)
  expect(idsOf(journal)).toEqual([1])
})

test('who waits is woken by the next record, and told when it is over', async () => {
  const journal = createMemoryJournal()
  const waiting = journal.next(60_000)
  journal.record(draw, 1)
  expect(await waiting).toBeGreaterThan(0)
  expect(await journal.next(0)).toBe(0)
})
