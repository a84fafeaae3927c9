import { expect, onTestFinished, test } from 'vitest'
import type { Bus, BusListener, Notice, PlatformEvent, PublishedEvent } from '../../../../src/server/ports/bus.ts'

/** An instance of a bus. Two instances of one world share what happens, where the technique has more than one. */
export interface BusFixture {
  one: Bus
  /** The same bus as another instance of the server sees it. */
  other: Bus
  close(): Promise<void>
}

/** What every bus keeps, whatever stands behind it. */
export function describeBus(open: () => Promise<BusFixture>): void {
  const start = async () => {
    const fixture = await open()
    onTestFinished(() => fixture.close())
    return fixture
  }

  test('events reach the listeners of every instance once, in one order, with growing sequences', async () => {
    const { one, other } = await start()
    const [here, there] = [listenTo(one), listenTo(other)]
    for (let i = 0; i < 20; i++) await (i % 2 ? one : other).publish(newEvent(`device-${i}`))
    await expect.poll(() => [here.events.length, there.events.length]).toEqual([20, 20])
    expect(there.events).toEqual(here.events)
    expect(here.events.map(({ deviceId }) => deviceId)).toEqual(Array.from({ length: 20 }, (_, i) => `device-${i}`))
    expect(here.events.every(({ sequence }, i) => i === 0 || sequence > here.events[i - 1]!.sequence)).toBe(true)
    expect(one.head()).toBe(here.events.at(-1)!.sequence)
  })

  test('events and notices keep their order among each other', async () => {
    const { one, other } = await start()
    const { log } = listenTo(other)
    await one.publish(newEvent('before'))
    await one.announce({ kind: 'subscription-deleted', subscriptionId: 'between' })
    await one.publish(newEvent('after'))
    await expect.poll(() => log).toEqual(['before', 'between', 'after'])
  })

  test('notices take no numbers: those of events run on without holes, and none is missed for a notice', async () => {
    const { one, other } = await start()
    const { events, log } = listenTo(one)
    const before = one.head()
    const notice = { kind: 'subscription-deleted', subscriptionId: 'n' } as const
    await Promise.all([one, other, one].map((each) => each.announce(notice)))
    await one.publish(newEvent('a'))
    await Promise.all([other, one].map((each) => each.announce(notice)))
    await other.publish(newEvent('b'))
    await expect.poll(() => log).toEqual(['n', 'n', 'n', 'a', 'n', 'n', 'b'])
    expect(events.map(({ sequence }) => sequence - before)).toEqual([1, 2])
    expect(await other.history(before)).toMatchObject({
      complete: true,
      events: [{ deviceId: 'a' }, { deviceId: 'b' }],
    })
    expect(await other.history(before - 1)).toMatchObject({ complete: false })
  })

  test('a listener that has ended hears nothing', async () => {
    const { one } = await start()
    const { events, end } = listenTo(one)
    end()
    const { events: heard } = listenTo(one)
    await one.publish(newEvent('late'))
    await expect.poll(() => heard.length).toBe(1)
    expect(events).toEqual([])
  })

  test('the history gives what came after a sequence, and says when it no longer knows', async () => {
    const { one, other } = await start()
    const { events } = listenTo(one)
    for (let i = 0; i < 5; i++) await one.publish(newEvent(`device-${i}`))
    await expect.poll(() => events.length).toBe(5)
    const history = await other.history(events[1]!.sequence)
    expect(history).toEqual({ events: events.slice(2), complete: true })
    expect(await other.history(one.head())).toEqual({ events: [], complete: true })
    expect(await other.history(0)).toEqual({ events, complete: false })
  })

  test('a token holds one place, and an older stream of the same subscription gives way', async () => {
    const { one, other } = await start()
    const first = { subscriptionId: 'a', tokenDigest: 't', generation: 1 }
    expect(await one.claim(first)).toBe('granted')
    expect(await other.claim({ subscriptionId: 'b', tokenDigest: 't', generation: 1 })).toBe('token-in-use')
    const second = { subscriptionId: 'a', tokenDigest: 'u', generation: 2 }
    expect(await other.claim(second)).toBe('granted')
    expect(await one.findClaim({ subscriptionId: 'a' })).toEqual(second)
    expect(await one.findClaim({ tokenDigest: 't' })).toBeUndefined()
    expect(await one.claim(first)).toBe('newer-stream')
    await one.release(first)
    expect(await one.findClaim({ tokenDigest: 'u' })).toEqual(second)
    await other.release(second)
    expect(await one.findClaim({ subscriptionId: 'a' })).toBeUndefined()
    expect(await one.findClaim({ tokenDigest: 'u' })).toBeUndefined()
  })
}

function listenTo(bus: Bus) {
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
