import { expect, test } from 'vitest'
import type { Changes } from '../../../../src/server/adapters/memory/tables.ts'
import { createMemoryStore } from '../../../../src/server/adapters/memory/store.ts'
import { Unavailable } from '../../../../src/server/ports/failures.ts'

/** Creates a slow disk. The test decides when each sync ends. */
function createSlowDisk() {
  const syncs: { changes: Changes; succeed: () => void; fail: () => void }[] = []
  const store = createMemoryStore({
    records: new Map(),
    persist: (changes) =>
      new Promise((resolve, reject) => {
        syncs.push({ changes, succeed: resolve, fail: () => reject(new Unavailable('no room')) })
      }),
  })
  const put = (name: string) => store.transaction((tx) => tx.settings.put({ name, value: '1' }))
  const take = (name: string) =>
    store.transaction(async (tx) => {
      if (await tx.settings.get(name)) throw new Error('taken')
      await tx.settings.put({ name, value: '1' })
    })
  const nextSync = async (n: number) => {
    await expect.poll(() => syncs.length).toBe(n)
  }
  return { store, syncs, put, take, nextSync }
}

test('readers do not see unsynced writes, but the next transaction sees them after the sync', async () => {
  const { store, syncs, put, take, nextSync } = createSlowDisk()
  const first = put('a')
  await nextSync(1)
  const second = take('a')
  expect(await store.settings.get('a')).toBeUndefined()
  expect(await store.settings.count()).toBe(0)
  syncs[0]!.succeed()
  await first
  expect(await store.settings.get('a')).toEqual({ name: 'a', value: '1' })
  await expect(second).rejects.toThrow('taken')
})

test('the next sync stores all writes that arrive during a sync, in order', async () => {
  const { syncs, put, nextSync } = createSlowDisk()
  const first = put('first')
  await nextSync(1)
  const others = Array.from({ length: 50 }, (_, i) => put(`n${i}`))
  syncs[0]!.succeed()
  await first
  await nextSync(2)
  const keys = [...syncs[1]!.changes.get('settings')!.keys()]
  expect(keys).toEqual(Array.from({ length: 50 }, (_, i) => `n${i}`))
  syncs[1]!.succeed()
  await Promise.all(others)
})

test('a failed sync discards its writes, and the store accepts new ones', async () => {
  const { store, syncs, put, take, nextSync } = createSlowDisk()
  const together = [put('a'), put('b'), take('a')]
  await nextSync(1)
  const later = take('a')
  const outcomes = Promise.allSettled(together)
  syncs[0]!.fail()
  for (const { status, reason } of (await outcomes) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected')
    expect(reason).toBeInstanceOf(Unavailable)
  }
  await nextSync(2)
  expect(await store.settings.count()).toBe(0)
  syncs[1]!.succeed()
  await later
  expect((await store.settings.find()).map(({ name }) => name)).toEqual(['a'])
})

test('a transaction sees the writes of earlier transactions in the same sync', async () => {
  const { store, syncs, put, take, nextSync } = createSlowDisk()
  const outcomes = Promise.allSettled([put('a'), take('a'), take('b')])
  await nextSync(1)
  syncs[0]!.succeed()
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await store.settings.find()).map(({ name }) => name)).toEqual(['a', 'b'])
})

test('closing the store waits for pending writes', async () => {
  const { store, syncs, put, nextSync } = createSlowDisk()
  const first = put('a')
  await nextSync(1)
  let isClosed = false
  const closing = (async () => {
    await store.close()
    isClosed = true
  })()
  await Promise.resolve()
  expect(isClosed).toBe(false)
  syncs[0]!.succeed()
  await Promise.all([first, closing])
})
