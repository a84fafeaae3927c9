import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../src/server/adapters/node/clock.ts'
import { createPostgresEngine } from '../../../../src/server/adapters/postgres/engine.ts'
import { TookTooLong } from '../../../../src/server/ports/failures.ts'
import type { Store } from '../../../../src/server/ports/store.ts'
import { type PrivateServer, startPostgres } from '../servers.ts'

let postgres: PrivateServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

let worlds = 0
async function openWorld() {
  const engine = await createPostgresEngine(postgres.url, systemClock)
  onTestFinished(() => engine.close())
  const record = { plan: { name: `slow-${worlds++}` }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  return (await engine.create(record, { records: new Map(), blobs: [] }))!
}

async function lock(...names: string[]): Promise<{ end: () => Promise<unknown> }> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`BEGIN; LOCK TABLE ${names.map((name) => `vendor_cloud.${name}`).join()}`)
  return { end: () => client.query('COMMIT') }
}

/**
 * Returns the number of engine sessions that match the condition. Uses a new connection, because within a transaction
 * this table does not change.
 */
async function count(condition: string, what = 'pid'): Promise<number | null> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const text = `SELECT ${what} FROM pg_stat_activity WHERE application_name = 'vendor-cloud' AND ${condition}`
  return (await client.query(text).finally(() => client.end())).rowCount
}

const BLOCKED = `wait_event_type = 'Lock'`
/** This is longer than the time after which the server treats a database that does not respond as unavailable. */
const forLong = (since: string) => `${since} < clock_timestamp() - interval '2 seconds'`

const increment = ({ transaction }: Store) =>
  transaction(async (tx) => {
    await tx.counters.put({ kind: 'test', value: ((await tx.counters.get('test'))?.value ?? 0) + 1 })
  })

test('a transaction waits for a database that is busy for more than 2 seconds', async () => {
  const { store } = await openWorld()
  const held = await lock('counters_records')
  const done = increment(store)
  await expect.poll(() => count(`${BLOCKED} AND ${forLong('query_start')}`)).toBe(1)
  await held.end()
  await done
  expect((await store.counters.get('test'))?.value).toBe(1)
})

test('a transaction that the database cancels is repeated and takes effect once', async () => {
  const { store } = await openWorld()
  const held = await lock('counters_records')
  const outcomes = Promise.all([increment(store), store.counters.get('none')])
  await expect.poll(() => count(BLOCKED)).toBe(2)
  await count(BLOCKED, 'pg_cancel_backend(pid)')
  await held.end()
  await outcomes
  expect((await store.counters.get('test'))?.value).toBe(1)
})

test('a request that waits too long for the database is rejected, and later requests succeed', async () => {
  const { store } = await openWorld()
  const held = await lock('counters_records')
  const outcomes = await Promise.allSettled([increment(store), store.counters.get('test')])
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(TookTooLong) as unknown })
  await held.end()
  await increment(store)
  expect((await store.counters.get('test'))?.value).toBe(1)
})

test('a transaction that waits for its image is not lost while other requests wait', async () => {
  const { store, blobs } = await openWorld()
  const held = await lock('images', 'settings_records')
  const upload = store.transaction(async (tx) => {
    await tx.counters.put({ kind: 'test', value: 1 })
    await blobs.put('digest', new Uint8Array([1]))
    await tx.counters.put({ kind: 'test', value: 2 })
  })
  const read = store.settings.get('none')
  await expect.poll(() => count(`state = 'idle in transaction' AND ${forLong('state_change')}`)).toBe(1)
  await held.end()
  await Promise.all([upload, read])
  expect((await store.counters.get('test'))?.value).toBe(2)
})
