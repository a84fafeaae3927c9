import { expect, onTestFinished, test } from 'vitest'
import type { EventHistory, KeptEvent } from '../../../../src/server/adapters/event-history.ts'
import { openKeptBus } from '../../../../src/server/adapters/memory/bus.ts'
import type { PublishedEvent } from '../../../../src/server/ports/bus.ts'
import { Unavailable, UnusableState, WorldEnded } from '../../../../src/server/ports/failures.ts'
import { edit, openEngine, worldRecord } from '../../../system/durable/directories.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { describeBus, newEvent } from './bus.contract.ts'

const START = Date.parse('2026-05-06T16:00:00Z')

async function openWorld(folder = makeTemporaryFolder()) {
  const engine = await openEngine(folder)
  onTestFinished(() => engine.close())
  const isKnown = (await engine.list()).length > 0
  const storage = isKnown
    ? await engine.open('default')
    : (await engine.create(worldRecord(), { records: new Map(), blobs: [], eventsFrom: START }))!
  return { engine, storage, folder }
}

describeBus(async () => {
  const { storage } = await openWorld()
  const bus = await openKeptBus(storage.events, 0)
  return { one: bus, other: bus, close: () => bus.close() }
})

async function readAll({ readAfter }: EventHistory): Promise<KeptEvent[]> {
  const all: KeptEvent[] = []
  for (let last = -1; ; last = all.at(-1)!.sequence) {
    const slice = await readAfter(last)
    if (slice.length === 0) return all
    all.push(...slice)
  }
}

test('what is kept is bounded as what is remembered, and its oldest tells where it begins', async () => {
  const { engine, storage, folder } = await openWorld()
  const bus = await openKeptBus(storage.events, 0)
  const first = bus.head()
  expect(first).toBe(START * 1000)
  const large = newEvent('x'.repeat(65_536))
  for (let i = 0; i < 30; i++) await Promise.all(Array.from({ length: 20 }, () => bus.publish(large)))
  await bus.publish(newEvent('last'))
  const remembered = (await bus.history(0)).events
  const kept = await readAll(storage.events)
  expect(remembered.length).toBeLessThan(300)
  expect(kept.length - remembered.length).toBeGreaterThanOrEqual(0)
  expect(kept.length - remembered.length).toBeLessThan(150)
  await engine.close()

  const next = await openKeptBus((await openWorld(folder)).storage.events, 0)
  expect(next.head()).toBe(first + 601)
  expect(await next.history(0)).toEqual({ events: remembered, complete: false })
  expect(await next.history(remembered[0]!.sequence - 1)).toMatchObject({ complete: true })
  expect(await next.history(remembered[0]!.sequence - 2)).toMatchObject({ complete: false })
})

test('an event that cannot be kept is refused and heard by nobody, and its number is given to the next', async () => {
  const { storage } = await openWorld()
  let isFull = false
  const append: EventHistory['append'] = (...what) =>
    isFull ? Promise.reject(new Unavailable('the disk is full')) : storage.events.append(...what)
  const bus = await openKeptBus({ ...storage.events, append }, 0)
  const heard: string[] = []
  bus.listen({ onEvent: ({ deviceId }) => heard.push(deviceId), onNotice: ({ kind }) => heard.push(kind) })
  await bus.publish(newEvent('a'))
  isFull = true
  const notice = { kind: 'subscription-deleted', subscriptionId: 's' } as const
  const [refused, told] = await Promise.allSettled([bus.publish(newEvent('b')), bus.announce(notice)])
  expect([refused.status, told.status]).toEqual(['rejected', 'fulfilled'])
  isFull = false
  await bus.publish(newEvent('c'))
  expect(heard).toEqual(['a', 'subscription-deleted', 'c'])
  expect(bus.head()).toBe(START * 1000 + 2)
})

test('an event is kept before anybody hears of it', async () => {
  const { storage } = await openWorld()
  let kept: number | undefined
  const bus = await openKeptBus(
    {
      readAfter: storage.events.readAfter,
      async append(events, forget) {
        await storage.events.append(events, forget)
        kept = events.at(-1)!.sequence
      },
    },
    0,
  )
  const heard: PublishedEvent[] = []
  bus.listen({
    onEvent: (event) => {
      expect(event.sequence).toBeLessThanOrEqual(kept ?? 0)
      heard.push(event)
    },
    onNotice: () => {},
  })
  await Promise.all([bus.publish(newEvent('a')), bus.publish(newEvent('b'))])
  expect(heard.map(({ deviceId }) => deviceId)).toEqual(['a', 'b'])
})

test('nothing of a deleted world is kept, and nothing is added to one', async () => {
  const { storage } = await openWorld()
  const bus = await openKeptBus(storage.events, 0)
  await bus.publish(newEvent('a'))
  await storage.discard()
  await expect(bus.publish(newEvent('b'))).rejects.toThrow(WorldEnded)
  expect(await readAll(storage.events)).toEqual([])
})

test('an event that is not what was written stops the start with its reason', async () => {
  const { engine, storage, folder } = await openWorld()
  await (await openKeptBus(storage.events, 0)).publish(newEvent('a'))
  await engine.close()
  edit(folder, `UPDATE events SET body = replace(body, 'ONLINE', 'OFFLINE')`)
  const { storage: found } = await openWorld(folder)
  await expect(openKeptBus(found.events, 0)).rejects.toThrow(UnusableState)
})
