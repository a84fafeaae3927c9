import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../src/server/adapters/node/clock.ts'
import { createPostgresEngine } from '../../../../src/server/adapters/postgres/engine.ts'
import { Unavailable, WorldEnded } from '../../../../src/server/ports/failures.ts'
import {
  type BusEnd,
  type BusFixture,
  describeBus,
  emit,
  newEvent,
  publish,
} from '../../../server/adapters/contract/bus.contract.ts'
import { openLine } from '../line.ts'
import { type PrivateServer, REJECTED_WITHIN, startPostgres } from '../servers.ts'

let postgres: PrivateServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client(postgres.url)
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

async function openEngine(port = postgres.port) {
  const engine = await createPostgresEngine(postgres.url.replace(`:${postgres.port}`, `:${port}`), systemClock)
  let closed: Promise<void> | undefined
  const close = () => (closed ??= engine.close())
  onTestFinished(close)
  return { create: engine.create.bind(engine), open: engine.open.bind(engine), close }
}

const START = 1_778_083_200_000
let worlds = 0

/** Opens the same new world in two instances. The first instance connects to the database at `port`. */
async function openTwo(port?: number) {
  const engines = [await openEngine(port), await openEngine()] as const
  const record = { plan: { name: `w${++worlds}` }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const one = (await engines[0].create(record, { records: new Map(), blobs: [], eventsFrom: START }))!
  const other = await engines[1].open(record.plan.name)
  const close: BusFixture['close'] = async () => {
    for (const { bus } of [one, other]) await bus.close()
  }
  return { one, other, engines, close, name: record.plan.name, world: one.id }
}

describeBus(openTwo)

function listenTo({ bus }: Pick<BusEnd, 'bus'>): string[] {
  const heard: string[] = []
  bus.listen({ onEvent: ({ deviceId }) => heard.push(deviceId), onNotice: ({ kind }) => heard.push(kind) })
  return heard
}

const claimOf = (subscriptionId: string, tokenDigest = 't', generation = 1) => ({
  subscriptionId,
  tokenDigest,
  generation,
})

test('an instance that opens a world later has the same history', async () => {
  const { one, engines, name } = await openTwo()
  expect(one.bus.head()).toBe(START * 1000)
  for (let i = 0; i < 10; i++) await publish(one, `d${i}`)
  await expect.poll(async () => (await one.bus.history(START * 1000)).events.length).toBe(10)
  const { bus } = await engines[1].open(name)
  expect(await bus.history(START * 1000)).toEqual(await one.bus.history(START * 1000))
  expect((await bus.history(START * 1000)).events.map(({ deviceId }) => deviceId)).toEqual(
    Array.from({ length: 10 }, (_, i) => `d${i}`),
  )
})

test('the history holds 50,000 events for at most 24 hours and reports missing older ones', async () => {
  const { one, engines, name, world } = await openTwo()
  await publish(one, 'first')
  await expect.poll(async () => (await one.bus.history(START * 1000)).events.length).toBe(1)
  const first = one.bus.head()
  const numbers = `SELECT nextval('vendor_cloud.event_sequence') FROM generate_series(1, 50100)`
  await query(
    `INSERT INTO vendor_cloud.events (world, sequence, payload) SELECT ${world}, nextval, 'null' FROM (${numbers}) AS n`,
  )
  const count = async () => {
    const [row] = await query(`SELECT count(*) AS count FROM vendor_cloud.events WHERE world = ${world}`)
    return Number((row as { count: string }).count)
  }
  const { bus } = await engines[1].open(name)
  expect(await count()).toBe(50_001)
  expect(await bus.history(first)).toEqual({ events: [], complete: false })
  expect((await bus.history(bus.head() - 10)).complete).toBe(true)
  await query(`UPDATE vendor_cloud.events SET at = now() - interval '25 hours' WHERE world = ${world}`)
  await engines[1].open(name)
  expect(await count()).toBe(1)
  expect((await bus.history(bus.head())).complete).toBe(true)
  await one.discard()
  expect(await count()).toBe(0)
  await expect(publish(one, 'late')).rejects.toThrow(WorldEnded)
})

test('events of concurrent changes to a record on two instances are sent in commit order', async () => {
  const { one, other } = await openTwo()
  const [here, there] = [listenTo(one), listenTo(other)]
  const increment = ({ store }: BusEnd) =>
    store.transaction(async (tx) => {
      const value = ((await tx.counters.get('test'))?.value ?? 0) + 1
      await tx.counters.put({ kind: 'test', value })
      tx.emit({ event: newEvent(String(value)) })
    })
  await Promise.all(Array.from({ length: 100 }, (_, i) => increment(i % 2 ? one : other)))
  const counted = Array.from({ length: 100 }, (_, i) => String(i + 1))
  await expect.poll(() => here).toEqual(counted)
  await expect.poll(() => there).toEqual(counted)
})

test('event numbers are not reused after the database was restored from a backup', async () => {
  const { one, name, world } = await openTwo()
  const before = Number(
    (await query(`SELECT last_value FROM vendor_cloud.event_sequence`).then(([row]) => row as { last_value: string }))
      .last_value,
  )
  for (let i = 0; i < 5; i++) await publish(one, `lost-${i}`)
  await expect.poll(async () => (await one.bus.history(START * 1000)).events.length).toBe(5)
  const seen = one.bus.head()
  await query(`DELETE FROM vendor_cloud.events WHERE world = ${world} AND sequence > ${before};
    SELECT setval('vendor_cloud.event_sequence', ${before})`)
  const restored = await (await openEngine()).open(name)
  await publish(restored, 'new')
  await expect.poll(() => restored.bus.head()).toBeGreaterThan(seen)
  expect((await restored.bus.history(seen)).events.map(({ deviceId }) => deviceId)).toEqual(['new'])
})

test('an event arrives even if its notification was lost', async () => {
  const { one, other } = await openTwo()
  const heard = listenTo(other)
  await query(`INSERT INTO vendor_cloud.events (world, sequence, payload)
    SELECT ${one.id}, nextval('vendor_cloud.event_sequence'),
      '{"notice": {"kind": "scenario-started", "scenarioId": "s"}}'`)
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['scenario-started'])
})

test('when an instance stops, the slots of its streams become free', async () => {
  const { one, other, engines } = await openTwo()
  expect(await one.bus.claim(claimOf('a'))).toBe('granted')
  expect(await other.bus.claim(claimOf('b'))).toBe('token-in-use')
  await engines[0].close()
  expect(await other.bus.findClaim({ tokenDigest: 't' })).toBeUndefined()
  expect(await other.bus.claim(claimOf('b'))).toBe('granted')
})

test('an instance without database access ends its streams before another instance takes their slots', async () => {
  const line = await openLine(postgres.port)
  onTestFinished(() => line.close())
  const { one, other } = await openTwo(line.port)
  const order = listenTo(one)
  expect(await one.bus.claim(claimOf('a'))).toBe('granted')
  line.cut()
  await expect.poll(() => other.bus.claim(claimOf('b')), { timeout: 10_000, interval: 20 }).toBe('granted')
  expect(order).toEqual(['claims-over'])
  line.fix()
  await expect.poll(() => one.bus.claim(claimOf('c', 'u')).catch(String), { timeout: 10_000 }).toBe('granted')
  // The claim that the instance has lost must stay invalid.
  expect(await one.bus.findClaim({ subscriptionId: 'a' })).toBeUndefined()
  expect(await one.bus.findClaim({ tokenDigest: 't' })).toEqual(claimOf('b'))
})

test('an unresponsive database causes a rejection within 2 seconds, and later events arrive in order', async () => {
  const { one, other } = await openTwo()
  const heard = listenTo(other)
  await publish(one, 'before')
  await expect.poll(() => heard).toEqual(['before'])
  postgres.freeze()
  onTestFinished(() => postgres.thaw())
  for (const ask of [() => publish(one, 'never acknowledged'), () => one.bus.claim(claimOf('a'))]) {
    const started = performance.now()
    await expect(ask()).rejects.toBeInstanceOf(Unavailable)
    expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  }
  postgres.thaw()
  await expect.poll(() => publish(one, 'after').then(() => 'told', String)).toBe('told')
  await publish(other, 'last')
  await expect.poll(() => heard.filter((each) => each !== 'never acknowledged')).toEqual(['before', 'after', 'last'])
  expect(heard.filter((each) => each === 'never acknowledged').length).toBeLessThan(2)
})

test('a slot becomes free even if the database was unresponsive during its release or request', async () => {
  const { one, other } = await openTwo()
  expect(await one.bus.claim(claimOf('left'))).toBe('granted')
  postgres.freeze()
  onTestFinished(() => postgres.thaw())
  await one.bus.release(claimOf('left'))
  await expect(one.bus.claim(claimOf('requested', 'u'))).rejects.toBeInstanceOf(Unavailable)
  postgres.thaw()
  const take = (id: string, token: string) => () => other.bus.claim(claimOf(id, token)).catch(String)
  await expect.poll(take('next', 't'), { timeout: 4000 }).toBe('granted')
  await expect.poll(take('next of u', 'u'), { timeout: 4000 }).toBe('granted')
})

test('only one instance is the leader, and another becomes the leader when it stops', async () => {
  const { one, other, engines } = await openTwo()
  for (let i = 0; i < 2; i++) {
    expect(await one.bus.isLeader('dance')).toBe(true)
    expect(await other.bus.isLeader('dance')).toBe(false)
  }
  await engines[0].close()
  await expect.poll(() => other.bus.isLeader('dance')).toBe(true)
})

test('an instance that cannot reach the database stops being the leader when its lease ends', async () => {
  const line = await openLine(postgres.port)
  onTestFinished(() => line.close())
  const { one, other } = await openTwo(line.port)
  expect(await one.bus.isLeader('dance')).toBe(true)
  line.cut()
  await expect.poll(() => other.bus.isLeader('dance'), { timeout: 10_000 }).toBe(true)
})

test('after its connections are terminated, an instance continues reading events where it stopped', async () => {
  const { one, other } = await openTwo()
  const heard = listenTo(other)
  await publish(one, 'before')
  await expect.poll(() => heard).toEqual(['before'])
  await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'vendor-cloud%'`)
  await expect.poll(() => publish(one, 'between').then(() => 'told', String)).toBe('told')
  await emit(one, { event: newEvent('after') }, { event: newEvent('last') })
  await expect.poll(() => heard, { timeout: 4000 }).toEqual(['before', 'between', 'after', 'last'])
})
