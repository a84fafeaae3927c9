import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyedRecords } from '../../../../src/server/adapters/memory/keyed-records.ts'
import type { Stored } from '../../../../src/server/adapters/record.ts'

const change = fc.record({ key: fc.integer({ min: 0, max: 3000 }).map(String), rank: fc.option(fc.nat()) })
const changes = fc.array(change, { maxLength: 60 })

test.each([10, 2048, 5000])('changes to a collection of %i records and to its copy are independent', (size) => {
  fc.assert(
    fc.property(changes, changes, changes, (before, first, second) => {
      const [kept, expected] = [new KeyedRecords(), new Map<string, Stored>()]
      for (let i = 0; i < size; i++) write(kept, expected, [{ key: String(i), rank: i }])
      write(kept, expected, before)
      const [copy, expectedCopy] = [kept.copy(), new Map(expected)]
      write(kept, expected, first)
      write(copy, expectedCopy, second)
      expectSame(kept, expected)
      expectSame(copy, expectedCopy)
    }),
    { numRuns: 10 },
  )
})

type Change = Readonly<{ key: string; rank: number | null }>

function write(kept: KeyedRecords, expected: Map<string, Stored>, all: readonly Change[]): void {
  for (const { key, rank } of all) {
    const record = { key, rank }
    if (rank === null) expect(kept.delete(key)).toBe(expected.delete(key))
    else {
      kept.set(key, record)
      expected.set(key, record)
    }
  }
}

function expectSame(kept: KeyedRecords, expected: ReadonlyMap<string, Stored>): void {
  const describe = (records: Iterable<Stored>) => Array.from(records, ({ key, rank }) => `${key} ${rank}`).sort()
  expect(kept.size).toBe(expected.size)
  expect(describe(kept.values())).toEqual(describe(expected.values()))
  expect([...expected].filter(([key, record]) => kept.get(key) !== record)).toEqual([])
}
