import { expect, test } from 'vitest'
import { createReplica } from '../../../../src/server/adapters/memory/replica.ts'
import { createMemoryStore } from '../../../../src/server/adapters/memory/store.ts'
import type { RecordSource, StoredReader } from '../../../../src/server/adapters/record.ts'
import type { CollectionName } from '../../../../src/contract/records/collections.ts'
import type { Store } from '../../../../src/server/ports/store.ts'

const now = Date.parse('2026-03-09T12:00:00Z')
const COUNT = 3000
const bookings = Array.from({ length: COUNT }, (_, i) => ({
  appointmentId: `B${String(i).padStart(6, '0')}`,
  slotId: 'one',
}))
/** One that is new, one that was at another slot, and one that is gone by now. */
const lateWrites = [
  { key: bookings[0]!.appointmentId },
  { key: bookings[1]!.appointmentId, before: { ...bookings[1], slotId: 'other' } },
  { key: 'B9', before: { appointmentId: 'B9', slotId: 'one' } },
].map((each, i) => ({ writeId: `w${i}`, collection: 'bookings', number: 1, at: new Date(now).toISOString(), ...each }))

test('a page and a count that others see late ask for few records, however many there are', async () => {
  const records = new Map<CollectionName, RecordSource>([
    ['bookings', bookings],
    ['lateWrites', lateWrites],
  ])
  const store: Store = createMemoryStore({ records })
  let most = 0
  const watched: Store = Object.create(store, {
    collection: {
      value: (name: CollectionName) => {
        const inner = store.collection(name) as StoredReader
        const find: StoredReader['find'] = async (query) => {
          const found = await inner.find(query)
          most = Math.max(most, found.length)
          return found
        }
        return { ...inner, find }
      },
    },
  })
  const late = createReplica(watched, { isRead: true, caller: 'other', now, lag: 60_000 })
  const keysOf = async (query: object) => (await late.bookings.find(query)).map(({ appointmentId }) => appointmentId)
  const where = { slotId: 'one' }
  expect(await keysOf({ where, limit: 2 })).toEqual(['B000002', 'B000003'])
  expect(await keysOf({ where, offset: COUNT - 4, limit: 5 })).toEqual(['B002998', 'B002999', 'B9'])
  expect(await keysOf({ where, orderBy: { field: 'appointmentId', direction: 'desc' }, limit: 2 })).toEqual([
    'B9',
    'B002999',
  ])
  expect([await late.bookings.count(where), await late.bookings.count()]).toEqual([COUNT - 1, COUNT])
  most = 0
  await keysOf({ where, limit: 10 })
  await late.bookings.count(where)
  expect(most).toBeLessThan(20)
})
