import { expect, test } from 'vitest'
import { EventLog } from '../../../../src/server/adapters/memory/event-log.ts'
import { createMemoryBus } from '../../../../src/server/adapters/memory/bus.ts'
import type { PublishedEvent } from '../../../../src/server/ports/bus.ts'
import { createMemoryStore, type MemoryStoreOptions } from '../../../../src/server/adapters/memory/store.ts'
import { Unavailable } from '../../../../src/server/ports/failures.ts'
import { describeBus, emit, newEvent, publish } from './bus.contract.ts'

const START = Date.parse('2026-05-06T16:00:00Z') * 1000

function openEnd(persist?: MemoryStoreOptions['persist']) {
  const bus = createMemoryBus(new EventLog(START))
  const whenApplied: MemoryStoreOptions['whenApplied'] = (_changes, messages) => bus.deliver(messages)
  return { bus, store: createMemoryStore({ whenApplied, ...(persist && { persist }) }) }
}

describeBus(async () => {
  const end = openEnd()
  return { one: end, other: end, close: () => end.bus.close() }
})

test('an event that cannot be stored is not delivered, and its sequence number is reused', async () => {
  let isFull = false
  const end = openEnd(async () => {
    if (isFull) throw new Unavailable('the disk is full')
  })
  const heard: string[] = []
  end.bus.listen({ onEvent: ({ deviceId }) => heard.push(deviceId), onNotice: () => {} })
  await publish(end, 'a')
  isFull = true
  await expect(publish(end, 'b')).rejects.toThrow(Unavailable)
  isFull = false
  await publish(end, 'c')
  expect(heard).toEqual(['a', 'c'])
  expect(end.bus.head()).toBe(START + 2)
})

test('events of one transaction have consecutive sequence numbers', async () => {
  const end = openEnd()
  await emit(end, { event: newEvent('a') }, { event: newEvent('b') })
  const { events } = await end.bus.history(START)
  expect(events.map(({ sequence }) => sequence - START)).toEqual([1, 2])
})

const sized = (sequence: number, size: number) => ({ sequence, deviceId: 'x'.repeat(size) }) as PublishedEvent

test('an event log holds at most 50,000 events and at most 32 MiB', () => {
  const many = new EventLog(0)
  for (let i = 1; i <= 120_000; i++) many.append(sized(i, 1))
  expect(many.after(69_999)).toMatchObject({ complete: false })
  expect(many.after(70_000).complete).toBe(true)
  expect(many.after(119_998).events.map(({ sequence }) => sequence)).toEqual([119_999, 120_000])

  const large = new EventLog(0)
  for (let i = 1; i <= 1000; i++) large.append(sized(i, 65_536))
  const { events } = large.after(0)
  expect(events.length).toBeGreaterThan(500)
  expect(events.length).toBeLessThanOrEqual(512)
  expect(events.at(-1)?.sequence).toBe(1000)
})
