import { fetchEventSource } from '@microsoft/fetch-event-source'
import { EventSourcePolyfill } from 'event-source-polyfill'
import { EventSource as NpmEventSource } from 'eventsource'
import { EventSource as UndiciEventSource } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ALL, LIGHT, startEvents } from '../../helpers/documents/events.ts'

interface Message {
  data?: unknown
}

interface StandardClient {
  readyState: number
  close(): void
  addEventListener(type: string, listener: (event: Message) => void): void
}

type Listener = (event: string, data: string) => void

const standard = {
  undici: (url: string) => new UndiciEventSource(url) as unknown as StandardClient,
  eventsource: (url: string) => new NpmEventSource(url) as unknown as StandardClient,
}
/** If this client uses `fetch`, it treats 204 as a broken connection and tries to reconnect, but fails. */
const polyfill = (url: string): StandardClient => new EventSourcePolyfill(url)

function connectStandard(connect: (url: string) => StandardClient) {
  return (url: string, listener: Listener) => {
    const client = connect(url)
    onTestFinished(() => client.close())
    for (const type of ['CONTROL_EVENT', 'DEVICE_EVENT']) {
      client.addEventListener(type, ({ data }) => listener(type, String(data)))
    }
    return client
  }
}

/** This client uses the timers and `fetch` of `window`. When it stops, it uses `document`. */
function connectFetchEventSource(url: string, listener: Listener) {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', { removeEventListener() {} })
  const over = new AbortController()
  const closed = fetchEventSource(url, {
    signal: over.signal,
    openWhenHidden: true,
    onmessage: ({ event, data }) => event && listener(event, data),
  })
  onTestFinished(async () => {
    over.abort()
    await closed
    vi.unstubAllGlobals()
  })
}

function follow<Client>(connect: (url: string, listener: Listener) => Client, url: string) {
  const control: string[] = []
  const values: unknown[] = []
  const client = connect(url, (event, data) => {
    if (event === 'CONTROL_EVENT') control.push(data)
    else values.push((JSON.parse(data) as { deviceEvent: { value: unknown } }).deviceEvent.value)
  })
  return { client, control, values }
}

const CLOSED = 2
const start = () => startEvents({ streamRetryMs: 50 })

const connectors: Record<string, (url: string, listener: Listener) => unknown> = {
  '@microsoft/fetch-event-source': connectFetchEventSource,
  'event-source-polyfill': connectStandard(polyfill),
  ...Object.fromEntries(Object.entries(standard).map(([name, connect]) => [name, connectStandard(connect)])),
}

test.each(Object.entries(connectors))(
  'the client %s receives every event once and in order, even after a connection reset',
  async (_, connect) => {
    const { subscribe, emit, streams } = await start()
    const { registrationUrl, subscriptionId } = await subscribe()
    const { control, values } = follow(connect, registrationUrl)
    await expect.poll(() => control).toEqual(['welcome'])
    for (let value = 1; value <= 500; value++) {
      await emit(LIGHT, value)
      if (value === 250) {
        await expect.poll(() => values.length).toBeGreaterThan(0)
        streams.find(subscriptionId)!.injectFault({ action: 'drop', ms: 0 })
      }
    }
    await expect.poll(() => values.length).toBe(500)
    expect(values).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
    expect(control).toEqual(['welcome', 'welcome'])
  },
)

describe.each(Object.entries(standard))('the EventSource of %s', (_, connect) => {
  test('an EventSource client closes and does not reconnect after a newer stream replaces its stream', async () => {
    const { subscribe, emit } = await start()
    const { registrationUrl } = await subscribe(ALL)
    const older = follow(connectStandard(connect), registrationUrl)
    await expect.poll(() => older.control).toEqual(['welcome'])
    const newer = follow(connectStandard(connect), registrationUrl)
    await expect.poll(() => newer.control).toEqual(['welcome'])
    await expect.poll(() => older.client.readyState).toBe(CLOSED)
    await emit(LIGHT, 'on')
    await expect.poll(() => newer.values).toEqual(['on'])
    expect(older.values).toEqual([])
  })
})
