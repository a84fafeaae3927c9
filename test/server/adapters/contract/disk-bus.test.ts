import { expect, onTestFinished, test } from 'vitest'
import { UnusableState, WorldEnded } from '../../../../src/server/ports/failures.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { copyOf, edit, openEngine, read, worldRecord } from '../../../system/durable/directories.ts'
import { describeBus, emit, newEvent, publish } from './bus.contract.ts'

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
  return { one: storage, other: storage, close: () => storage.bus.close() }
})

test('the stored history has the same limit as the memory history and survives a restart', async () => {
  const { engine, storage, folder } = await openWorld()
  const { bus } = storage
  const first = bus.head()
  expect(first).toBe(START * 1000)
  const large = newEvent('x'.repeat(65_536))
  for (let i = 0; i < 30; i++) await emit(storage, ...Array.from({ length: 20 }, () => ({ event: large })))
  await publish(storage, 'last')
  const remembered = (await bus.history(0)).events
  await engine.close()
  const stored = read(copyOf(folder), 'SELECT sequence FROM events').length
  expect(remembered.length).toBeLessThan(300)
  expect(stored - remembered.length).toBeGreaterThanOrEqual(0)
  expect(stored - remembered.length).toBeLessThan(150)

  const next = (await openWorld(folder)).storage.bus
  expect(next.head()).toBe(first + 601)
  expect(await next.history(0)).toEqual({ events: remembered, complete: false })
  expect(await next.history(remembered[0]!.sequence - 1)).toMatchObject({ complete: true })
  expect(await next.history(remembered[0]!.sequence - 2)).toMatchObject({ complete: false })
})

test('no events are stored for a deleted world', async () => {
  const { engine, storage, folder } = await openWorld()
  await publish(storage, 'a')
  await storage.discard()
  await expect(publish(storage, 'b')).rejects.toThrow(WorldEnded)
  await engine.close()
  expect(read(folder, 'SELECT sequence FROM events')).toEqual([])
})

test('opening a world fails with UnusableState if a stored event is damaged', async () => {
  const { engine, storage, folder } = await openWorld()
  await publish(storage, 'a')
  await engine.close()
  edit(folder, `UPDATE events SET body = replace(body, 'ONLINE', 'OFFLINE')`)
  await expect(openWorld(folder)).rejects.toThrow(UnusableState)
})
