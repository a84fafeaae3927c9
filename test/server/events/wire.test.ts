import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { PublishedEvent } from '../../../src/server/ports/bus.ts'
import { deliveredDeviceEvent } from '../../../src/contract/records/events/platform-event.ts'
import { ALL, asBearer, HOME, LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'

/** Returns the bytes of a stream up to `end` as they are sent over the socket, including the chunked encoding. */
async function readWire(url: string, end: string, version = 'HTTP/1.1'): Promise<{ text: string; close: () => void }> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.setEncoding('utf8').write(`GET ${pathname}${search} ${version}\r\nHost: ${hostname}:${port}\r\n\r\n`)
  let text = ''
  while (!text.includes(end)) text += String((await once(socket, 'data'))[0])
  return { text, close: () => socket.destroy() }
}

test('a stream starts with retry and the welcome event in one chunk', async () => {
  const { subscribe, ports } = await startEvents()
  const { registrationUrl } = await subscribe()
  const { text, close } = await readWire(registrationUrl, '\n\n\r\n')
  close()
  const [head, body] = text.split(/\r\n\r\n/, 2)
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  for (const header of [
    'content-type: text/event-stream',
    'cache-control: no-store, no-transform',
    'x-accel-buffering: no',
    'access-control-allow-origin: \\*',
    'transfer-encoding: chunked',
  ]) {
    expect(head).toMatch(new RegExp(`\r\n${header}(\r\n|$)`, 'i'))
  }
  expect(head).not.toMatch(/content-encoding/i)
  const block = `retry: 3000\nevent: CONTROL_EVENT\ndata: welcome\nid: 1-${ports.bus.head()}\n\n`
  expect(body).toBe(`${block.length.toString(16)}\r\n${block}\r\n`)
})

test('an HTTP/1.0 client gets the same stream without chunked encoding', async () => {
  const { subscribe } = await startEvents()
  const { text, close } = await readWire((await subscribe()).registrationUrl, '\n\n', 'HTTP/1.0')
  close()
  expect(text).not.toMatch(/transfer-encoding/i)
  expect(text).toMatch(/\r\n\r\nretry: 3000\nevent: CONTROL_EVENT\ndata: welcome\nid: 1-\d+\n\n$/)
})

test('a device event is sent in one data line with the documented fields', async () => {
  const { stream, emit, ports } = await startEvents()
  const { reader } = await stream(ALL, { name: 'My "lights"' })
  await emit(LIGHT, 'on')
  const block = (await reader.next())!
  const { text, data } = block
  expect(text.split('\n')).toEqual([
    'event: DEVICE_EVENT',
    expect.stringMatching(/^data: /),
    `id: 1-${ports.bus.head()}`,
  ])
  expect(deliveredDeviceEvent.parse(data)).toEqual(data)
  expect(data).toEqual({
    eventTime: Date.parse('2026-05-06T16:00:00.000Z'),
    eventType: 'DEVICE_EVENT',
    deviceEvent: {
      eventId: expect.any(String),
      locationId: HOME,
      ownerId: HOME,
      ownerType: 'LOCATION',
      deviceId: LIGHT,
      componentId: 'main',
      capability: 'switch',
      attribute: 'switch',
      value: 'on',
      valueType: 'string',
      stateChange: true,
      data: null,
      commandId: expect.any(String),
      sensitive: false,
      subscriptionName: 'My "lights"',
    },
  })
})

test.each([
  ['line ends', 'on\n\nevent: CONTROL_EVENT\ndata: goodbye\r\n\r\n'],
  ['NUL, line separators and private-use characters', 'a\0b\u2028c\u2029d\ue000\u{1f4a1}'],
  ['a lone surrogate', '\ud83d'],
])('a stream can send %s in a value, a name and data', async (_, hostile) => {
  const { stream, emit } = await startEvents()
  const { reader } = await stream(ALL, { name: `n${hostile}` })
  await emit(LIGHT, hostile, { capability: hostile, data: { hostile } })
  await emit(LIGHT, 'after')
  const [first, second] = await reader.take(2)
  const text = JSON.parse(JSON.stringify(hostile)) as string
  expect(first!.data).toMatchObject({ deviceEvent: { value: text, capability: text, data: { hostile: text } } })
  expect(second!.data).toMatchObject({ deviceEvent: { value: 'after' } })
  expect(reader.blocks).toHaveLength(3)
})

test('a heartbeat is a single comment line, and is sent even without events', async () => {
  const { stream } = await startEvents({ events: { heartbeatSeconds: 0.05 } })
  const { reader } = await stream()
  await reader.until('\n\n:\n:\n:\n')
  expect(reader.blocks.filter(({ event }) => event !== undefined)).toHaveLength(1)
})

test('non-ASCII text is sent as unescaped UTF-8', async () => {
  const { stream, emit } = await startEvents()
  const { reader } = await stream(ALL, { name: 'K\u00fcche' })
  await emit(LIGHT, '\u706f\u{1f4a1}')
  expect((await reader.next())?.text).toContain('"value":"\u706f\u{1f4a1}"')
  expect(reader.text).toContain('"subscriptionName":"K\u00fcche"')
  await emit(LIGHT, 'after')
  expect((await reader.next())?.data).toMatchObject({ deviceEvent: { value: 'after' } })
})

test("the retry time of a stream is its world's streamRetryMs or 3 s by default", async () => {
  const { call } = await startEvents()
  for (const [streamRetryMs, name] of [
    [0, 'at-once'],
    [60_000, 'late'],
    [undefined, 'plain'],
  ] as const) {
    expect((await call('POST', '/_control/worlds', { body: { name, seed: 'test', streamRetryMs } })).status).toBe(200)
    await call('POST', `/w/${name}/_control/reset`)
    const draft = { name: 'test', subscriptionFilters: ALL }
    const { body } = await call('POST', `/w/${name}/subscriptions`, { body: draft })
    const { text, close } = await readWire((body as { registrationUrl: string }).registrationUrl, '\n\n')
    close()
    expect(text).toMatch(`\r\nretry: ${streamRetryMs ?? 3000}\n`)
  }
  for (const streamRetryMs of [-1, 60_001, 0.5, '5']) {
    const { status, body } = await call('POST', '/_control/worlds', { body: { name: 'bad', streamRetryMs } })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('body.streamRetryMs')
  }
})

test('a HEAD request for a stream returns its headers and does not open a stream', async () => {
  const { stream, emit, streams } = await startEvents()
  const { reader, registrationUrl } = await stream()
  const reply = await fetch(registrationUrl, { method: 'HEAD' })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/event-stream')
  expect((await fetch(registrationUrl.replace(/key=.*/, 'key=x'), { method: 'HEAD' })).status).toBe(404)
  await emit(LIGHT, 'on')
  expect((await reader.next())?.event).toBe('DEVICE_EVENT')
  expect(streams.list()).toHaveLength(1)
})

test('pages of any origin can send a preflight request for a stream', async () => {
  const { subscribe } = await startEvents()
  const reply = await fetch((await subscribe()).registrationUrl, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.com' },
  })
  expect(reply.status).toBe(204)
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  expect(reply.headers.get('access-control-allow-headers')).toContain('last-event-id')
})

test('events emitted in the same tick are sent in one write', async () => {
  const { stream, emit, ports } = await startEvents()
  const { reader } = await stream()
  const published: PublishedEvent[] = []
  ports.bus.listen({ onEvent: (each) => void published.push(each), onNotice() {} })
  await emit(LIGHT, 'on')
  await reader.next()
  const before = reader.text.length
  const { sequence: _, ...event } = published[0]!
  // `emit` may yield to the event loop between events, so it is not used here.
  await ports.store.transaction(async (tx) => {
    for (let i = 0; i < 4; i++) tx.emit({ event })
  })
  await reader.take(4)
  expect(reader.chunks.filter(({ from }) => from >= before)).toHaveLength(1)
})

test('a stream is never compressed, even if the client accepts compression', async () => {
  const { subscribe } = await startEvents()
  const { subscriptionId } = await subscribe()
  const reader = await openStream(
    `${(await subscribe()).registrationUrl.split('/filters')[0]}/filters/${subscriptionId}/activate`,
    {
      ...asBearer('token-home'),
      'accept-encoding': 'gzip, br',
    },
  )
  expect(reader.headers['content-encoding']).toBeUndefined()
  expect((await reader.next())?.data).toBe('welcome')
})
