import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPostgresEngine } from '../../../src/server/adapters/postgres/engine.ts'
import { systemClock } from '../../../src/server/adapters/node/clock.ts'
import { openKeptBus } from '../../../src/server/adapters/memory/bus.ts'
import { WorldEnded } from '../../../src/server/ports/failures.ts'
import { describeBus, newEvent } from '../../server/adapters/contract/bus.contract.ts'
import { startProcess } from '../../helpers/server-process.ts'
import { CONTROL_KEY } from './installation.ts'
import { type PrivateServer, startPostgres } from './servers.ts'
import { emit, lastId, openAt, subscribe, values } from './subscriptions.ts'

let postgres: PrivateServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

let worlds = 0
async function openEvents() {
  const engine = await createPostgresEngine(postgres.url, systemClock)
  onTestFinished(() => engine.close())
  const record = { plan: { name: `w${worlds++}` }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const reopen = async () => (await engine.open(record.plan.name)).events
  return { ...(await engine.create(record, { records: new Map(), blobs: [], eventsFrom: 5 }))!, reopen }
}

describeBus(async () => {
  const bus = await openKeptBus((await openEvents()).events, 0)
  return { one: bus, other: bus, close: () => bus.close() }
})

test('events are there for the next bus of a world, without those that were taken away, and go with it', async () => {
  const { events, reopen, discard } = await openEvents()
  const bus = await openKeptBus(events, 0)
  expect(bus.head()).toBe(5000)
  await Promise.all(Array.from({ length: 1200 }, (_, i) => bus.publish(newEvent(`d${i}`))))
  const next = await openKeptBus(await reopen(), 0)
  expect(await next.history(5000)).toEqual(await bus.history(5000))
  await events.append([{ sequence: 6201, event: newEvent('last') }], 6000)
  const third = await openKeptBus(events, 0)
  expect(await third.history(5999)).toMatchObject({ complete: false })
  const { complete, events: left } = await third.history(6000)
  expect({ complete, count: left.length, last: left.at(-1) }).toMatchObject({
    complete: true,
    count: 201,
    last: { sequence: 6201, deviceId: 'last' },
  })
  await discard()
  await expect(third.publish(newEvent('late'))).rejects.toThrow(WorldEnded)
  expect(await events.readAfter(-1)).toEqual([])
})

test('one instance without Redis: after kill -9 and a restart a client resumes without a gap', async () => {
  const start = async () => {
    const server = await startProcess({ DATABASE_URL: postgres.url, CONTROL_KEY })
    onTestFinished(async () => void (await server.stop('SIGKILL')))
    return server
  }
  const first = await start()
  const subscription = await subscribe(first.url)
  const reader = await openAt(first.url, subscription)
  await reader.next()
  expect(await emit(first.url, 0)).toBe(200)
  expect(await values(reader, 1)).toEqual([0])
  reader.cut()
  const missed = Array.from({ length: 20 }, (_, i) => i + 1)
  for (const value of missed) expect(await emit(first.url, value)).toBe(200)
  await first.stop('SIGKILL')

  const second = await start()
  const resumed = await openAt(second.url, subscription, { 'last-event-id': lastId(reader) })
  expect(await values(resumed, 20)).toEqual(missed)
  await second.stop('SIGTERM')
  const third = await start()
  const again = await openAt(third.url, subscription, { 'last-event-id': lastId(resumed) })
  expect(await emit(third.url, 21)).toBe(200)
  expect(await values(again, 1)).toEqual([21])
  expect(resumed.text + again.text).not.toContain('data: gap')
})
