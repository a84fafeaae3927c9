import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Conditions } from '../../../../src/server/adapters/memory/indexes.ts'
import { MemoryTable } from '../../../../src/server/adapters/memory/table.ts'
import type { Stored } from '../../../../src/server/adapters/record.ts'
import type { Scalar } from '../../../../src/server/ports/store.ts'

const fields = ['owner', 'state', 'kind', 'rank'] as const
const collection = {
  schema: z.record(z.string(), z.unknown()),
  key: 'id',
  indexes: [
    { on: ['owner'], orderBy: ['rank', 'id', 'state'] },
    { on: ['owner', 'state'], orderBy: ['rank'] },
    { on: ['kind'], orderBy: ['rank'] },
  ],
}

const choice = fc.integer({ min: 0, max: 3 }).map(String)
const aRecord = fc.record({ owner: choice, state: choice, kind: fc.option(choice, { nil: undefined }), rank: choice })
const records = fc
  .array(aRecord, { maxLength: 400 })
  .map((list) => list.map((each, i): Stored => ({ ...each, id: String(1000 + ((i * 7) % list.length)) })))
const values = fc.option(fc.uniqueArray(choice, { minLength: 1, maxLength: 4 }), { nil: undefined })
const query = fc.record({
  where: fc.record({ owner: values, state: values, kind: values }),
  field: fc.constantFrom('rank', 'id', 'state'),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  offset: fc.integer({ min: 0, max: 200 }),
  limit: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(Infinity)),
})

describe('a page of a table', () => {
  test('a page of a table equals the result of a full filter and sort', async () => {
    await fc.assert(
      fc.asyncProperty(records, query, async (given, { where, field, direction, offset, limit }) => {
        const conditions = toConditions(where)
        const unique = [...new Map(given.map((each) => [each['id'], each])).values()]
        const expected = unique
          .filter((record) => [...conditions].every(([name, allowed]) => allowed.includes(record[name] as Scalar)))
          .sort((a, b) => (direction === 'asc' ? 1 : -1) * compare(a, b, field))
        const ask = (table: MemoryTable) => table.find(conditions, field, direction, offset, limit)
        const tables = [new MemoryTable(collection, unique), filledOneByOne(unique), await changedAfter(ask, unique)]
        for (const table of tables) {
          const page = await ask(table)
          expect(page).toEqual(expected.slice(offset, offset + limit))
          expect(await table.count(conditions)).toBe(expected.length)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('a page far into several merged lists is found without reading the records before it', async () => {
    const many = Array.from({ length: 20_000 }, (_, i): Stored => {
      return { id: String(100_000 + i), owner: '0', state: String(i % 3), kind: '0', rank: String(900_000 - i) }
    })
    let reads = 0
    const counting = many.map((each) => {
      const get = () => {
        reads++
        return each['rank']
      }
      return Object.defineProperty({ ...each }, 'rank', { get })
    })
    const table = new MemoryTable(collection, counting)
    const find = (offset: number) =>
      table.find(toConditions({ owner: ['0'], state: ['0', '1'] }), 'rank', 'asc', offset, 5)
    // The first request builds the lists.
    await find(0)
    reads = 0
    const page = await find(13_000)
    expect(page.map(({ id }) => id)).toEqual(['100499', '100498', '100496', '100495', '100493'])
    expect(reads).toBeLessThan(1000)
  })
})

test('searching a table of 100,000 records yields to the event loop', async () => {
  const newRecord = (i: number, rank: number): Stored => {
    return { id: String(i), owner: '0', state: String(i % 3), rank: String(rank) }
  }
  const table = new MemoryTable(
    collection,
    Array.from({ length: 100_000 }, (_, i) => newRecord(i, 100_000 + ((i * 48_271) % 1_000_003))),
  )
  const asked = table.find(toConditions({ owner: ['0'] }), 'rank', 'asc', 0, Infinity)
  let [turns, isDone] = [0, false]
  const change = () => {
    if (isDone || turns === 90) return
    const i = 997 * turns++
    table.delete(String(i))
    table.set(String(i + 1), newRecord(i + 1, 100_000 + i))
    table.set(String(100_000 + i), newRecord(100_000 + i, 200_000 + i))
    setImmediate(change)
  }
  change()
  await asked
  isDone = true
  expect(turns).toBeGreaterThan(4)
  const found = await table.find(toConditions({ owner: ['0'] }), 'rank', 'asc', 0, Infinity)
  expect(found).toEqual([...table].sort((a, b) => compare(a, b, 'rank')))
})

describe('a query that runs while records change', () => {
  const newRecord = (id: string, change: object = {}): Stored => ({ id, owner: '0', kind: '0', rank: '1', ...change })
  const strangers = Array.from({ length: 50 }, (_, i) => newRecord(`x${i}`, { owner: '1' }))

  async function during(conditions: Conditions, own: readonly Stored[], change: (table: MemoryTable) => void) {
    const found: (readonly Stored[])[] = []
    for (let ticks = 0; ticks < 40; ticks++) {
      const table = new MemoryTable(collection, [...own, ...strangers])
      await table.find(conditions, 'rank', 'asc', 0, 10)
      const asked = table.find(conditions, 'rank', 'asc', 0, 10)
      for (let i = 0; i < ticks; i++) await Promise.resolve()
      change(table)
      found.push(await asked)
    }
    return found
  }

  test.each([
    ['the owner', toConditions({ owner: ['0'] })],
    ['the owner and kind', toConditions({ owner: ['0'], kind: ['0'] })],
  ])('a query by %s finds the only matching record while the record changes', async (_, conditions) => {
    for (const rank of ['1', '2']) {
      const found = await during(conditions, [newRecord('1')], (table) => table.set('1', newRecord('1', { rank })))
      expect(found.filter((page) => page.length !== 1)).toEqual([])
    }
  })

  test('a query succeeds when all its records are deleted while it runs', async () => {
    const own = Array.from({ length: 8 }, (_, i) => newRecord(String(i)))
    const conditions = toConditions({ owner: ['0'], kind: ['0'] })
    const found = await during(conditions, own, (table) => {
      for (const { id } of own) table.delete(String(id))
    })
    expect(found.every((page) => page.length === 0 || page.length === 8)).toBe(true)
  })
})

function toConditions(where: Readonly<Record<string, readonly Scalar[] | undefined>>) {
  return new Map(fields.flatMap((name) => (where[name] ? [[name, where[name]] as const] : [])))
}

function filledOneByOne(given: readonly Stored[]): MemoryTable {
  const table = new MemoryTable(collection)
  for (const record of given) table.set(String(record['id']), record)
  return table
}

/**
 * Queries a table that contains other records first. The changes must then update the indexes that these queries built.
 */
async function changedAfter(ask: Ask, given: readonly Stored[]): Promise<MemoryTable> {
  const others = given.slice(given.length / 3).map((each, i): Stored => {
    return { ...each, owner: String(i % 4), rank: String(i % 3), kind: undefined }
  })
  const strangers = given.map((each): Stored => ({ ...each, id: `x${String(each['id'])}` }))
  const table = new MemoryTable(collection, [...others, ...strangers])
  await ask(table)
  for (const { id } of strangers) table.delete(String(id))
  for (const record of given) table.set(String(record['id']), record)
  return table
}

type Ask = (table: MemoryTable) => Promise<unknown>

function compare(a: Stored, b: Stored, field: string): number {
  const [x, y] = [`${String(a[field])} ${String(a['id'])}`, `${String(b[field])} ${String(b['id'])}`]
  return x < y ? -1 : x > y ? 1 : 0
}
