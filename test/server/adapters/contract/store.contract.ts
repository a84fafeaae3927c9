import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../../src/server/ports/store.ts'
import type { CollectionName, RecordOf } from '../../../../src/contract/records/collections.ts'
import { describeExpiredTickets } from './expired-tickets.contract.ts'
import { describeUniqueValues } from './unique-values.contract.ts'

const setting = (name: string, value = '1') => ({ name, value })
const booking = (appointmentId: string, more: Partial<RecordOf<'bookings'>> = {}): RecordOf<'bookings'> => ({
  appointmentId,
  srid: '4100000001',
  ascCode: 'ASC001',
  slotId: 'slot-1',
  date: '2026-05-08',
  startsAt: '2026-05-08T14:00:00.000Z',
  endsAt: '2026-05-08T14:30:00.000Z',
  holder: 'bp:1000000001',
  ...more,
})

/** Tests that the store of every engine must pass. The test file of each adapter calls this function. */
export function describeStore(name: string, open: () => Promise<Store>) {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    test('a committed record is read back as a frozen object', async () => {
      await store.transaction((tx) => tx.bookings.put(booking('a')))
      const found = await store.bookings.get('a')
      expect(found).toEqual(booking('a'))
      expect(Object.isFrozen(found)).toBe(true)
    })

    test('a collection can be accessed by name or as a property', async () => {
      const names: CollectionName[] = ['settings', 'bookings']
      await store.transaction(async (tx) => {
        await tx.collection('settings').put(setting('a'))
        for (const name of names) expect(await tx.collection(name).count()).toBe(await tx[name].count())
      })
      expect(await store.collection('settings').get('a')).toEqual(setting('a'))
      for (const name of names) expect(await store.collection(name).find()).toEqual(await store[name].find())
    })

    test('a transaction that throws changes nothing', async () => {
      const failed = store.transaction(async (tx) => {
        await tx.settings.put(setting('a'))
        await tx.bookings.put(booking('a'))
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await store.settings.get('a')).toBeUndefined()
      expect(await store.bookings.count()).toBe(0)
    })

    test('when 20 transactions check for a record and then create it, only one succeeds', async () => {
      const claim = () =>
        store.transaction(async (tx) => {
          if (await tx.settings.get('a')) throw new Error('taken')
          await Promise.resolve()
          await tx.settings.put(setting('a'))
        })
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, claim))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    test('parallel transactions that count bookings before they book never exceed the capacity', async () => {
      const book = (id: string) =>
        store.transaction(async (tx) => {
          if ((await tx.bookings.count({ slotId: 'slot-1' })) >= 10) throw new Error('full')
          await tx.bookings.put(booking(id))
        })
      await Promise.allSettled(Array.from({ length: 50 }, (_, i) => book(`a${i}`)))
      expect(await store.bookings.count({ slotId: 'slot-1' })).toBe(10)
    })

    test('a read outside a transaction does not see the uncommitted changes of the transaction', async () => {
      let beside: unknown = 'unread'
      await store.transaction(async (tx) => {
        await tx.settings.put(setting('a'))
        beside = await store.settings.get('a')
      })
      expect(beside).toBeUndefined()
    })

    test('a transaction sees its own changes in get, find and count', async () => {
      await store.transaction(async (tx) => {
        for (const id of ['a', 'b', 'c']) await tx.bookings.put(booking(id))
      })
      await store.transaction(async (tx) => {
        await tx.bookings.put(booking('b', { ascCode: 'ASC002' }))
        await tx.bookings.put(booking('d'))
        expect(await tx.bookings.delete('c')).toBe(true)
        expect(await tx.bookings.delete('c')).toBe(false)
        expect(await tx.bookings.get('c')).toBeUndefined()
        const found = await tx.bookings.find({ where: { ascCode: 'ASC001', date: '2026-05-08' } })
        expect(found.map(({ appointmentId }) => appointmentId)).toEqual(['a', 'd'])
        expect(await tx.bookings.count({ ascCode: 'ASC001', date: '2026-05-08' })).toBe(2)
        const second = await tx.bookings.find({ where: { ascCode: 'ASC001', date: '2026-05-08' }, offset: 1, limit: 1 })
        expect(second.map(({ appointmentId }) => appointmentId)).toEqual(['d'])
      })
      expect(await store.bookings.count({ ascCode: 'ASC001', date: '2026-05-08' })).toBe(2)
    })

    test('find matches one or several values and sorts by key by default', async () => {
      await store.transaction(async (tx) => {
        await tx.bookings.put(booking('c', { date: '2026-05-08' }))
        await tx.bookings.put(booking('a', { date: '2026-05-09' }))
        await tx.bookings.put(booking('b', { date: '2026-05-10' }))
        await tx.bookings.put(booking('d', { date: '2026-05-08', ascCode: 'ASC002' }))
      })
      const ids = async (query: Parameters<Store['bookings']['find']>[0]) =>
        (await store.bookings.find(query)).map(({ appointmentId }) => appointmentId)
      expect(await ids({})).toEqual(['a', 'b', 'c', 'd'])
      expect(await ids({ where: { ascCode: 'ASC001', date: ['2026-05-08', '2026-05-10'] } })).toEqual(['b', 'c'])
      expect(await ids({ where: { ascCode: 'ASC001', date: [] } })).toEqual([])
      expect(await ids({ where: { appointmentId: ['d', 'a', 'x'], ascCode: 'ASC001' } })).toEqual(['a'])
      expect(await ids({ where: { ascCode: undefined, slotId: 'slot-1' }, limit: 2 })).toEqual(['a', 'b'])
      expect(await ids({ orderBy: { field: 'appointmentId', direction: 'desc' }, offset: 1, limit: 2 })).toEqual([
        'c',
        'b',
      ])
    })

    test('find sorts by an indexed field, and by key if the values are equal', async () => {
      await store.transaction(async (tx) => {
        await tx.bookings.put(booking('a', { startsAt: '2026-05-08T16:00:00.000Z' }))
        await tx.bookings.put(booking('b', { startsAt: '2026-05-08T14:00:00.000Z' }))
        await tx.bookings.put(booking('c', { startsAt: '2026-05-08T16:00:00.000Z' }))
      })
      const where = { holder: 'bp:1000000001' }
      const found = await store.bookings.find({ where, orderBy: { field: 'startsAt', direction: 'asc' } })
      expect(found.map(({ appointmentId }) => appointmentId)).toEqual(['b', 'a', 'c'])
      const back = await store.bookings.find({ where, orderBy: { field: 'startsAt', direction: 'desc' }, limit: 2 })
      expect(back.map(({ appointmentId }) => appointmentId)).toEqual(['c', 'a'])
    })

    test('an index is updated when its records change', async () => {
      await store.transaction((tx) => tx.bookings.put(booking('a')))
      await store.transaction((tx) => tx.bookings.put(booking('a', { holder: 'profile:web-bob' })))
      expect(await store.bookings.count({ holder: 'bp:1000000001' })).toBe(0)
      expect(await store.bookings.count({ holder: 'profile:web-bob' })).toBe(1)
      await store.transaction((tx) => tx.bookings.delete('a'))
      expect(await store.bookings.count({ holder: 'profile:web-bob' })).toBe(0)
    })

    test('a record that violates its schema is rejected, and its transaction stores nothing', async () => {
      const broken = store.transaction(async (tx) => {
        await tx.settings.put(setting('a'))
        await tx.bookings.put(booking('b', { date: 'tomorrow' }))
      })
      await expect(broken).rejects.toThrow('date')
      expect(await store.settings.get('a')).toBeUndefined()
    })

    test('a transaction returns the result of its function', async () => {
      expect(await store.transaction(async () => 42)).toBe(42)
    })

    describeUniqueValues(() => store)
    describeExpiredTickets(() => store)

    test('strings with arbitrary characters are stored unchanged and remain distinct', async () => {
      const names = ['a', 'A', 'ä', 'a\u0000b', 'a\u0001', '\uffee', '\u{1f600}', 'a'.repeat(3000), "'; --"]
      await store.transaction(async (tx) => {
        for (const name of names) await tx.settings.put(setting(name, name))
      })
      for (const name of names) expect(await store.settings.get(name)).toEqual(setting(name, name))
      const sorted = (await store.settings.find()).map(({ name }) => name)
      expect(sorted).toEqual([...names].sort())
    })

    test('300 parallel transactions on different records all succeed', async () => {
      const put = (i: number) => store.transaction((tx) => tx.settings.put(setting(`s${i}`, String(i))))
      await Promise.all(Array.from({ length: 300 }, (_, i) => put(i)))
      expect(await store.settings.count()).toBe(300)
    })

    test('the store responds to a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })
}
