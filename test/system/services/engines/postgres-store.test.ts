import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../../src/server/adapters/engine.ts'
import { createPostgresEngine } from '../../../../src/server/adapters/postgres/engine.ts'
import { systemClock } from '../../../../src/server/adapters/node/clock.ts'
import { Unavailable, WorldEnded } from '../../../../src/server/ports/failures.ts'
import type { Store } from '../../../../src/server/ports/store.ts'
import { describeStore } from '../../../server/adapters/contract/store.contract.ts'
import { type PrivateServer, REJECTED_WITHIN, startPostgres } from '../servers.ts'

let postgres: PrivateServer
let engine: Engine
beforeAll(async () => {
  postgres = await startPostgres()
  engine = await createPostgresEngine(postgres.url, systemClock)
})
afterAll(async () => {
  await engine.close()
  await postgres.remove()
})

let worlds = 0
async function openStore(of = engine): Promise<Store> {
  const record = { plan: { name: `w${worlds++}` }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const storage = await of.create(record, { records: new Map(), blobs: [] })
  return storage!.store
}

describeStore('PostgreSQL store', openStore)

test('500 parallel bookings of different slots all succeed', async () => {
  const store = await openStore()
  const book = (i: number) =>
    store.transaction(async (tx) => {
      if ((await tx.bookings.count({ slotId: `slot-${i}` })) > 0) throw new Error('full')
      await tx.bookings.put({
        appointmentId: `a${i}`,
        srid: '4100000001',
        ascCode: 'ASC001',
        slotId: `slot-${i}`,
        date: '2026-05-08',
        startsAt: '2026-05-08T14:00:00.000Z',
        endsAt: '2026-05-08T14:30:00.000Z',
        holder: `bp:${i}`,
      })
    })
  await Promise.all(Array.from({ length: 500 }, (_, i) => book(i)))
  expect(await store.bookings.count()).toBe(500)
})

test('transactions that are committed together stay atomic, and each transaction gets its own result', async () => {
  const store = await openStore()
  // If an error message contains text from a client, it must not be mistaken for an error of the database.
  const refusals = ['there is no slot timeout', 'ECONNREFUSED', 'no']
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) =>
      store.transaction(async (tx) => {
        const { length } = await tx.settings.find()
        await tx.settings.put({ name: `${i}`, value: `${length}` })
        if (i % 4 !== 0) throw new Error(refusals[(i % 4) - 1])
        return (await tx.settings.get(`${i}`))?.value
      }),
    ),
  )
  const kept = await store.settings.find()
  expect(kept).toHaveLength(15)
  // There must be an order in which each transaction has seen the results of all earlier ones, but of none that failed.
  expect(kept.map(({ value }) => Number(value)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 15 }, (_, i) => i),
  )
  const values = new Map(kept.map(({ name, value }) => [name, value]))
  for (const [i, outcome] of outcomes.entries()) {
    if (i % 4 === 0) expect(outcome).toEqual({ status: 'fulfilled', value: values.get(`${i}`) })
    else expect((outcome as PromiseRejectedResult).reason.message).toBe(refusals[(i % 4) - 1])
  }
})

test('a record that the database cannot store does not affect other transactions', async () => {
  const store = await openStore()
  const long = Array.from({ length: 9000 }, (_, i) => i.toString(36)).join('')
  const put = (name: string) => store.transaction((tx) => tx.settings.put({ name, value: '1' }))
  const outcomes = await Promise.allSettled(['a', 'b', long, 'c', 'd'].map(put))
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true])
  expect(await store.settings.count()).toBe(4)
})

test('each declared index exists in the database, and unique indexes are enforced by the database', async () => {
  const store = await openStore()
  await store.transaction((tx) => tx.settings.put({ name: 'a', value: '1' }))
  const { default: pg } = await import('pg')
  const client = new pg.Client(postgres.url)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query("SELECT indexdef FROM pg_indexes WHERE schemaname = 'vendor_cloud'")
  const definitions = rows.map(({ indexdef }: { indexdef: string }) => indexdef)
  expect(definitions).toContainEqual(expect.stringContaining('(house, "is_companyId", is_status, "by_createdAt", key)'))
  expect(definitions).toContainEqual(expect.stringMatching(/CREATE UNIQUE INDEX .* \(house, "is_ticketNumber"\)/))
})

test('an unreachable database causes rejections within 2 seconds until it is back', async () => {
  const store = await openStore()
  const put = (name: string) => store.transaction((tx) => tx.settings.put({ name, value: '1' }))
  await put('before')
  await postgres.kill()
  const started = performance.now()
  const outcomes = await Promise.allSettled([put('away'), store.settings.get('before'), store.ping(), put('away too')])
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  for (const outcome of outcomes) expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(Unavailable)
  await postgres.start()
  await expect.poll(() => store.ping().then(() => 'there', String)).toBe('there')
  await put('after')
  expect((await store.settings.find()).map(({ name }) => name)).toEqual(['after', 'before'])
})

test('an unresponsive database causes rejections within 2 seconds until it responds', async () => {
  const store = await openStore()
  const put = (name: string) => store.transaction((tx) => tx.settings.put({ name, value: '1' }))
  await put('before')
  postgres.freeze()
  onTestFinished(() => postgres.thaw())
  const started = performance.now()
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => put(`away${i}`)))
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  for (const outcome of outcomes) expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(Unavailable)
  postgres.thaw()
  await expect.poll(() => store.ping().then(() => 'there', String)).toBe('there')
  await put('after')
  expect((await store.settings.get('before'))?.value).toBe('1')
})

test('writes to a world that another instance replaced are rejected', async () => {
  const other = await createPostgresEngine(postgres.url, systemClock)
  onTestFinished(() => other.close())
  const record = { plan: { name: 'shared' }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const content = { records: new Map(), blobs: [] }
  const one = (await engine.create(record, content))!
  const same = await other.open('shared')
  await one.store.transaction((tx) => tx.settings.put({ name: 'a', value: '1' }))
  expect((await same.store.settings.get('a'))?.value).toBe('1')
  expect(await other.create(record, content)).toBeUndefined()
  await other.create(record, content, { replace: true })
  await one.discard()
  const late = same.store.transaction((tx) => tx.settings.put({ name: 'b', value: '1' }))
  await expect(late).rejects.toBeInstanceOf(WorldEnded)
  // For a deleted world, the error must not say that the image is missing.
  await expect(same.blobs.get('0'.repeat(64))).rejects.toBeInstanceOf(WorldEnded)
  expect((await engine.list()).map(({ plan }) => plan.name)).toContain('shared')
})

test('a world is replaced only if no other instance has deleted or recreated it', async () => {
  const record = { plan: { name: 'replaced' }, seed: undefined, createdAt: 1, clock: { offsetMs: 0 } }
  const content = { records: new Map(), blobs: [] }
  const replace = (createdAt: number) => engine.create({ ...record, createdAt }, content, { replace: true })
  expect(await replace(1)).toBeUndefined()
  await engine.create(record, content)
  expect(await replace(2)).toBeUndefined()
  const fresh = await replace(1)
  expect((await engine.list()).find(({ plan }) => plan.name === 'replaced')?.id).toBe(fresh?.id)
})
