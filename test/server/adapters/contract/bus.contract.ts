import { expect, onTestFinished, test } from 'vitest'
import type {
  Bus,
  BusListener,
  Message,
  Notice,
  PlatformEvent,
  PublishedEvent,
} from '../../../../src/server/ports/bus.ts'
import type { Store } from '../../../../src/server/ports/store.ts'

/** The bus of a world in one instance, and the store whose transactions emit events to this bus. */
export interface BusEnd {
  bus: Bus
  store: Store
}

/** The buses of two instances that share a world. If an engine serves only one instance, both are the same. */
export interface BusFixture {
  one: BusEnd
  other: BusEnd
  close(): Promise<void>
}

export const emit = ({ store }: Pick<BusEnd, 'store'>, ...messages: readonly Message[]): Promise<void> =>
  store.transaction(async (tx) => {
    for (const message of messages) tx.emit(message)
  })

export const publish = (end: Pick<BusEnd, 'store'>, deviceId: string): Promise<void> =>
  emit(end, { event: newEvent(deviceId) })

const notice = (subscriptionId: string): Message => ({ notice: { kind: 'subscription-deleted', subscriptionId } })

export function describeBus(open: () => Promise<BusFixture>): void {
  const start = async () => {
    const fixture = await open()
    onTestFinished(() => fixture.close())
    return fixture
  }

  test('listeners on every instance receive each event once, in the same order', async () => {
    const { one, other } = await start()
    const [here, there] = [listenTo(one), listenTo(other)]
    for (let i = 0; i < 20; i++) await publish(i % 2 ? one : other, `device-${i}`)
    await expect.poll(() => [here.events.length, there.events.length]).toEqual([20, 20])
    expect(there.events).toEqual(here.events)
    expect(here.events.map(({ deviceId }) => deviceId)).toEqual(Array.from({ length: 20 }, (_, i) => `device-${i}`))
    expect(here.events.every(({ sequence }, i) => i === 0 || sequence > here.events[i - 1]!.sequence)).toBe(true)
    expect(one.bus.head()).toBe(here.events.at(-1)!.sequence)
  })

  test('events published in parallel reach every instance in the same order', async () => {
    const { one, other } = await start()
    const [here, there] = [listenTo(one), listenTo(other)]
    await Promise.all(Array.from({ length: 100 }, (_, i) => publish(i % 2 ? one : other, `device-${i}`)))
    await expect.poll(() => [here.events.length, there.events.length]).toEqual([100, 100])
    expect(there.events).toEqual(here.events)
    expect(here.events.every(({ sequence }, i) => i === 0 || sequence > here.events[i - 1]!.sequence)).toBe(true)
  })

  test('events and notices are delivered in the order in which they were emitted', async () => {
    const { one, other } = await start()
    const { log } = listenTo(other)
    await publish(one, 'before')
    await emit(one, notice('between'), { event: newEvent('together') })
    await publish(one, 'after')
    await expect.poll(() => log).toEqual(['before', 'between', 'together', 'after'])
  })

  test('the event history does not contain notices', async () => {
    const { one, other } = await start()
    const { log } = listenTo(other)
    const before = one.bus.head()
    await Promise.all([one, other, one].map((each) => emit(each, notice('n'))))
    await publish(one, 'a')
    await Promise.all([other, one].map((each) => emit(each, notice('n'))))
    await publish(other, 'b')
    await expect.poll(() => log).toEqual(['n', 'n', 'n', 'a', 'n', 'n', 'b'])
    expect(await other.bus.history(before)).toMatchObject({
      complete: true,
      events: [{ deviceId: 'a' }, { deviceId: 'b' }],
    })
    expect(await other.bus.history(before - 1)).toMatchObject({ complete: false })
  })

  test('a message is delivered only after its transaction is committed', async () => {
    const { one, other } = await start()
    const { log } = listenTo(other)
    const failing = one.store.transaction(async (tx) => {
      tx.emit({ event: newEvent('never') })
      await tx.counters.put({ kind: 'test', value: 1 })
      throw new Error('as planned')
    })
    await expect(failing).rejects.toThrow('as planned')
    const order: string[] = []
    one.bus.listen({ onEvent: () => order.push('event'), onNotice: () => {} })
    await one.store.transaction(async (tx) => {
      tx.emit({ event: newEvent('once') })
      tx.afterCommit(() => order.push('commit'))
      await tx.counters.put({ kind: 'test', value: 2 })
    })
    await expect.poll(() => log).toEqual(['once'])
    await expect.poll(() => order).toEqual(['commit', 'event'])
    expect((await other.store.counters.get('test'))?.value).toBe(2)
  })

  test('a listener that was removed receives no more events', async () => {
    const { one } = await start()
    const { events, end } = listenTo(one)
    end()
    const { events: heard } = listenTo(one)
    await publish(one, 'late')
    await expect.poll(() => heard.length).toBe(1)
    expect(events).toEqual([])
  })

  test('the history returns the events after a sequence number, and reports whether it is complete', async () => {
    const { one, other } = await start()
    const { events } = listenTo(one)
    for (let i = 0; i < 5; i++) await publish(one, `device-${i}`)
    await expect.poll(() => events.length).toBe(5)
    await expect.poll(() => other.bus.head()).toBe(one.bus.head())
    const history = await other.bus.history(events[1]!.sequence)
    expect(history).toEqual({ events: events.slice(2), complete: true })
    expect(await other.bus.history(one.bus.head())).toEqual({ events: [], complete: true })
    expect(await other.bus.history(0)).toEqual({ events, complete: false })
  })

  test('a token has one stream, and a newer stream of a subscription ends the older', async () => {
    const { one, other } = await start()
    const { log } = listenTo(one)
    const first = { subscriptionId: 'a', tokenDigest: 't', generation: 1 }
    expect(await one.bus.claim(first)).toBe('granted')
    expect(await other.bus.claim({ subscriptionId: 'b', tokenDigest: 't', generation: 1 })).toBe('token-in-use')
    const second = { subscriptionId: 'a', tokenDigest: 'u', generation: 2 }
    expect(await other.bus.claim(second)).toBe('granted')
    await expect.poll(() => log).toEqual(['a'])
    expect(await one.bus.findClaim({ subscriptionId: 'a' })).toEqual(second)
    expect(await one.bus.findClaim({ tokenDigest: 't' })).toBeUndefined()
    expect(await one.bus.claim(first)).toBe('newer-stream')
    await one.bus.release(first)
    expect(await one.bus.findClaim({ tokenDigest: 'u' })).toEqual(second)
    await other.bus.release(second)
    expect(await one.bus.findClaim({ subscriptionId: 'a' })).toBeUndefined()
    expect(await one.bus.findClaim({ tokenDigest: 'u' })).toBeUndefined()
  })
}

function listenTo({ bus }: BusEnd) {
  const events: PublishedEvent[] = []
  const log: string[] = []
  const listener: BusListener = {
    onEvent: (event) => {
      events.push(event)
      log.push(event.deviceId)
    },
    onNotice: (notice: Notice) => log.push('subscriptionId' in notice ? notice.subscriptionId : notice.kind),
  }
  return { events, log, end: bus.listen(listener) }
}

export function newEvent(deviceId: string): PlatformEvent {
  const origin = {
    eventId: '6f5902ac-237b-4f0a-8b0c-0d7d1f0c9b3e',
    locationId: 'l',
    ownerId: 'l',
    ownerType: 'LOCATION' as const,
    deviceId,
  }
  return {
    envelope: {
      eventTime: 1_778_083_200_000,
      eventType: 'DEVICE_HEALTH_EVENT',
      deviceHealthEvent: { ...origin, hubId: null, status: 'ONLINE', reason: 'NONE' },
    },
    locationId: 'l',
    deviceId,
    installedAppIds: [],
    appIds: [],
  }
}
