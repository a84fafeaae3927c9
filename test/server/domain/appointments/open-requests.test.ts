import { expect, test } from 'vitest'
import { createMemoryStore } from '../../../../src/server/adapters/memory/store.ts'
import type { RecordSource, Stored } from '../../../../src/server/adapters/record.ts'
import { findOpen } from '../../../../src/server/domain/appointments/lifecycle-moves.ts'
import type { CollectionName } from '../../../../src/contract/records/collections.ts'

test('open requests are found without reading the closed ones', async () => {
  let looks = 0
  const tickets: Stored[] = Array.from({ length: 2000 }, (_, i) => ({
    srid: String(5_000_000_000 + i),
    get status() {
      looks++
      return i % 1000 === 0 ? 'E0001' : 'E0003'
    },
  }))
  const store = createMemoryStore({ records: new Map<CollectionName, RecordSource>([['tickets', tickets]]) })
  // The first call builds the index.
  await findOpen(store)
  looks = 0
  expect((await findOpen(store)).map(({ srid }) => srid)).toEqual(['5000000000', '5000001000'])
  expect(looks).toBeLessThan(20)
})
