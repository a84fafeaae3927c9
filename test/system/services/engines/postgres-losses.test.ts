import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPostgresEngine } from '../../../../src/server/adapters/postgres/engine.ts'
import { systemClock } from '../../../../src/server/adapters/node/clock.ts'
import { Unavailable } from '../../../../src/server/ports/failures.ts'
import type { Store } from '../../../../src/server/ports/store.ts'
import { type Installation, install, putSetting, send } from '../installation.ts'
import { openLine } from '../line.ts'
import { REJECTED_WITHIN } from '../servers.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

let worlds = 0
async function openStore(port: number, user = 'test'): Promise<Store> {
  const url = installation.postgres.url.replace('test@', `${user}@`).replace(/:\d+\//, `:${port}/`)
  const engine = await createPostgresEngine(url, systemClock)
  onTestFinished(() => engine.close())
  const record = { plan: { name: `lost-${worlds++}` }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  return (await engine.create(record, { records: new Map(), blobs: [] }))!.store
}

async function query(text: string): Promise<void> {
  const options = '-c default_transaction_read_only=off'
  const client = new pg.Client({ connectionString: installation.postgres.url, options })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

const increment = (store: Store) =>
  store.transaction(async (tx) => {
    await tx.counters.put({ kind: 'test', value: ((await tx.counters.get('test'))?.value ?? 0) + 1 })
  })

test('one request fails and later writes succeed when all connections die after a failover', async () => {
  const line = await openLine(installation.postgres.port)
  onTestFinished(() => line.close())
  const store = await openStore(line.port)
  const put = (name: string) => store.transaction((tx) => tx.settings.put({ name, value: '1' }))
  await Promise.all(Array.from({ length: 40 }, (_, i) => put(`warm-${i}`)))
  line.strand()
  const started = performance.now()
  await expect(put('first')).rejects.toBeInstanceOf(Unavailable)
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  await expect.poll(() => put('next').then(() => 'kept', String), { interval: 20 }).toBe('kept')
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN + 500)
})

test('an engine with pending transactions closes within 2 seconds while the database is unresponsive', async () => {
  const engine = await createPostgresEngine(installation.postgres.url, systemClock)
  const record = { plan: { name: `lost-${worlds++}` }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const { store } = (await engine.create(record, { records: new Map(), blobs: [] }))!
  onTestFinished(() => installation.postgres.thaw())
  let put = () => {}
  const isPutting = new Promise<void>((resolve) => {
    put = resolve
  })
  const answer = store.transaction(async (tx) => {
    await tx.counters.get('test')
    installation.postgres.freeze()
    put()
    await tx.counters.put({ kind: 'test', value: 1 })
  })
  const outcome = answer.catch((error: unknown) => error)
  await isPutting
  const started = performance.now()
  await engine.close()
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  expect(await outcome).toBeInstanceOf(Unavailable)
  await expect(increment(store)).rejects.toBeInstanceOf(Unavailable)
})

test('a transaction whose COMMIT gets no response is rejected within 2 seconds and not repeated', async () => {
  let losesCommits = false
  const proxy = createServer((near) => {
    const far = createConnection(installation.postgres.port, '127.0.0.1')
    let isLost = false
    near.on('data', (data) => {
      // Matches only the COMMIT statement. The statement that starts a transaction contains COMMIT in another form.
      isLost ||= losesCommits && data.includes('COMMIT\0')
      far.write(data)
    })
    far.on('data', (data) => isLost || near.write(data))
    for (const [from, other] of [[near, far] as const, [far, near] as const]) {
      from.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const store = await openStore((proxy.address() as { port: number }).port)
  await increment(store)
  losesCommits = true
  const started = performance.now()
  await expect(increment(store)).rejects.toBeInstanceOf(Unavailable)
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  losesCommits = false
  const value = () => store.counters.get('test').then((found) => found?.value, String)
  await expect.poll(value).toBe(2)
})

test('a database counts as unavailable while it rejects the login', async () => {
  await query('CREATE ROLE guest LOGIN SUPERUSER')
  const store = await openStore(installation.postgres.port, 'guest')
  await query('ALTER ROLE guest NOLOGIN')
  await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guest'`)
  const outcome = () =>
    increment(store).then(
      () => 'kept',
      (error: Error) => error.name,
    )
  await expect.poll(outcome).toBe('Unavailable')
  await query('ALTER ROLE guest LOGIN')
  await expect.poll(outcome).toBe('kept')
})

test('after an older database is restored, all instances use its clock and worlds', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const now = '2026-05-06T16:00:00.000Z'
  await send('PUT', `${a.url}/_control/clock`, { now, frozen: true })
  await send('POST', `${b.url}/_control/clock/advance`, { duration: 'PT1H' })
  await send('POST', `${a.url}/_control/worlds`, { name: 'late' })
  await query(`UPDATE vendor_cloud.clocks SET body = '{"frozenAt":"${now}"}', moves = 1 WHERE moves = 2`)
  await query(`DELETE FROM vendor_cloud.worlds WHERE name = 'late'`)
  for (const { url } of [a, b]) {
    const clock = async () => (await send('GET', `${url}/_control/clock`)).body['now']
    await expect.poll(clock).toBe(now)
    const late = async () => (await send('GET', `${url}/w/late/_control/clock`)).status
    await expect.poll(late).toBe(404)
  }
  expect((await putSetting(b.url, 'after')).status).toBe(200)
  await query('ALTER SCHEMA vendor_cloud RENAME TO gone')
  for (const { url } of [a, b]) {
    expect((await fetch(`${url}/health/ready`)).status).toBe(503)
    expect((await putSetting(url, 'lost')).status).toBeGreaterThanOrEqual(500)
  }
  await query('ALTER SCHEMA gone RENAME TO vendor_cloud')
  for (const { url } of [a, b]) {
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(200)
    expect((await putSetting(url, 'kept')).status).toBe(200)
  }
})

test('writes are rejected when the database becomes a read-only replica', async () => {
  const { url } = await installation.startInstance()
  expect((await putSetting(url, 'before')).status).toBe(200)
  await query('ALTER ROLE test SET default_transaction_read_only = on')
  onTestFinished(() => query('ALTER ROLE test RESET ALL'))
  await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vendor-cloud'`)
  const ready = async () => (await fetch(`${url}/health/ready`)).status
  await expect.poll(ready).toBe(503)
  expect((await putSetting(url, 'refused')).status).toBeGreaterThanOrEqual(500)
  expect(await ready()).toBe(503)
})
