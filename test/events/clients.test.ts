import { EventSource as NpmEventSource } from 'eventsource'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EventSource as UndiciEventSource } from 'undici'
import { ALL, LIGHT, startEvents } from '../helpers/events.ts'

/** What both clients have in common. */
interface Client {
  readyState: number
  close(): void
  addEventListener(type: string, listener: (event: { data?: unknown; lastEventId?: string }) => void): void
}

const clients = {
  undici: (url: string) => new UndiciEventSource(url) as unknown as Client,
  eventsource: (url: string) => new NpmEventSource(url) as unknown as Client,
}
const CLOSED = 2
/** A client comes back after `retry`: three seconds of real time. */
const COMES_BACK = { timeout: 15_000 }

/** Opens an address and keeps what comes. */
function follow(connect: (url: string) => Client, url: string) {
  const client = connect(url)
  onTestFinished(() => client.close())
  const control: unknown[] = []
  const values: unknown[] = []
  client.addEventListener('CONTROL_EVENT', ({ data }) => control.push(data))
  client.addEventListener('DEVICE_EVENT', ({ data }) => {
    values.push((JSON.parse(String(data)) as { deviceEvent: { value: unknown } }).deviceEvent.value)
  })
  return { client, control, values }
}

describe.each(Object.entries(clients))('an EventSource of %s', (_, connect) => {
  test('gets each of 500 events once and in order over a reset in their middle', async () => {
    const { subscribe, emit, streams } = await startEvents()
    const { registrationUrl, subscriptionId } = await subscribe()
    const { control, values } = follow(connect, registrationUrl)
    await expect.poll(() => control).toEqual(['welcome'])
    for (let value = 1; value <= 500; value++) {
      await emit(LIGHT, value)
      if (value === 250) {
        await expect.poll(() => values.length).toBeGreaterThan(0)
        streams.find(subscriptionId)!.disturb({ action: 'drop', ms: 0 })
      }
    }
    await expect.poll(() => values.length, COMES_BACK).toBe(500)
    expect(values).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
    expect(control).toEqual(['welcome', 'welcome'])
  }, 20_000)

  test('that lost its stream to a newer one stops by itself', async () => {
    const { subscribe, emit } = await startEvents()
    const { registrationUrl } = await subscribe(ALL)
    const older = follow(connect, registrationUrl)
    await expect.poll(() => older.control).toEqual(['welcome'])
    const newer = follow(connect, registrationUrl)
    await expect.poll(() => newer.control).toEqual(['welcome'])
    await expect.poll(() => older.client.readyState, COMES_BACK).toBe(CLOSED)
    await emit(LIGHT, 'on')
    await expect.poll(() => newer.values).toEqual(['on'])
    expect(older.values).toEqual([])
  }, 20_000)
})
