import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LIGHT, MOTION, startEvents } from '../../helpers/documents/events.ts'
import { openStream, valueIn } from '../../helpers/documents/stream-reader.ts'

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

async function interrupted(options = {}) {
  const server = await startEvents(options)
  const { reader, ...subscription } = await server.stream()
  await server.emit(LIGHT, 1)
  const { id } = (await reader.next())!
  reader.cut()
  await expect.poll(() => server.streams.list()).toEqual([])
  return { ...server, ...subscription, id: id! }
}

test('a client that reconnects gets missed events once and in order before new events', async () => {
  const { emit, registrationUrl, id } = await interrupted()
  for (const value of numbers(2, 30)) await emit(LIGHT, value)
  const reader = await openStream(registrationUrl, { 'last-event-id': id })
  await emit(LIGHT, 31)
  expect(await reader.next()).toMatchObject({ data: 'welcome', id: id.replace(/^1-/, '2-') })
  const blocks = await reader.take(30)
  expect(blocks.map(valueIn)).toEqual(numbers(2, 31))
  expect(reader.text).not.toContain('data: gap')
})

test('a client disconnected right after the welcome event of a resumed stream misses no events', async () => {
  const { emit, registrationUrl, id, streams } = await interrupted()
  for (const value of numbers(2, 5)) await emit(LIGHT, value)
  const reader = await openStream(registrationUrl, { 'last-event-id': id })
  const welcome = (await reader.next())!
  reader.cut()
  await expect.poll(() => streams.list()).toEqual([])
  const again = await openStream(registrationUrl, { 'last-event-id': welcome.id! })
  expect((await again.take(5)).slice(1).map(valueIn)).toEqual(numbers(2, 5))
})

test('a resumed stream gets 1,000 missed events, and a gap event if it missed more', async () => {
  const { emit, registrationUrl, id, streams } = await interrupted()
  for (const value of numbers(2, 1001)) await emit(LIGHT, value)
  const reader = await openStream(registrationUrl, { 'last-event-id': id })
  expect((await reader.take(1001)).slice(1).map(valueIn)).toEqual(numbers(2, 1001))
  expect(reader.text).not.toContain('data: gap')
  reader.cut()
  await expect.poll(() => streams.list()).toEqual([])

  await emit(LIGHT, 1002)
  const second = await openStream(registrationUrl, { 'last-event-id': id })
  const [welcome, gap, ...rest] = await second.take(1002)
  expect([welcome!.data, gap!.data]).toEqual(['welcome', 'gap'])
  expect(rest.map(valueIn)).toEqual(numbers(3, 1002))
  const before = Number(rest[0]!.id!.split('-')[1]) - 1
  expect(gap!.id).toBe(`3-${before}`)
})

test('a resumed stream gets a gap event instead of events over ten minutes old', async () => {
  const { emit, registrationUrl, id, clockControl, streams } = await interrupted()
  await emit(LIGHT, 2)
  await clockControl.advance(10 * 60 * 1000)
  const reader = await openStream(registrationUrl, { 'last-event-id': id })
  expect((await reader.take(2)).map(({ data }) => data)).toEqual([
    'welcome',
    expect.objectContaining({ eventType: 'DEVICE_EVENT' }),
  ])
  reader.cut()
  await expect.poll(() => streams.list()).toEqual([])
  await clockControl.advance(1)
  const later = await openStream(registrationUrl, { 'last-event-id': id })
  await emit(LIGHT, 3)
  const [welcome, gap, event] = await later.take(3)
  expect([welcome!.data, gap!.data, valueIn(event!)]).toEqual(['welcome', 'gap', 3])
})

test('a resumed stream misses no event after a gap if the clock was set back', async () => {
  const { emit, registrationUrl, id, clock, clockControl } = await interrupted()
  const start = clock.now()
  await clockControl.set({ now: start + 60 * 60 * 1000 })
  await emit(LIGHT, 2)
  await clockControl.set({ now: start })
  await emit(LIGHT, 3)
  await clockControl.set({ now: start + 60 * 60 * 1000 })
  await emit(LIGHT, 4)
  const reader = await openStream(registrationUrl, { 'last-event-id': id })
  const [, gap, event] = await reader.take(3)
  expect([gap!.data, valueIn(event!)]).toEqual(['gap', 4])
  expect(gap!.id!.split('-')[1]).toBe(String(Number(event!.id!.split('-')[1]) - 1))
})

test('old events of other users cause no gap in a resumed stream', async () => {
  const { emit, registrationUrl, id, clockControl } = await interrupted()
  for (const value of numbers(1, 1200)) await emit('bbbbbbbb-0000-4000-8000-000000000001', value)
  await clockControl.advance(11 * 60 * 1000)
  await emit(LIGHT, 2)
  const reader = await openStream(registrationUrl, { 'last-event-id': id })
  const [welcome, event] = await reader.take(2)
  expect([welcome!.data, valueIn(event!)]).toEqual(['welcome', 2])
})

test('a resumed stream gets only the missed events that match its current filters', async () => {
  const { emit, registrationUrl, subscriptionId, call, id } = await interrupted()
  await emit(LIGHT, 2)
  await emit(MOTION, 3)
  await call('PUT', `/subscriptions/${subscriptionId}`, {
    body: { subscriptionFilters: [{ type: 'DEVICEIDS', value: [MOTION] }] },
  })
  const reader = await openStream(registrationUrl, { 'last-event-id': id })
  expect((await reader.take(2)).slice(1).map(valueIn)).toEqual([3])
})

test.each(['nonsense', '1-', '99-1', '1-9999999999999999'])(
  'a stream that is resumed with the unknown ID %s gets a gap event',
  async (shown) => {
    const { emit, registrationUrl } = await interrupted()
    const reader = await openStream(registrationUrl, { 'last-event-id': shown })
    await emit(LIGHT, 'next')
    const blocks = await reader.take(3)
    expect(blocks.slice(0, 2).map(({ data }) => data)).toEqual(['welcome', 'gap'])
  },
)

test.each(['lastEventId', 'lastEventID'])(
  'a client can resume with the query parameter %s instead of the Last-Event-ID header',
  async (name) => {
    const { emit, registrationUrl, id, streams } = await interrupted()
    await emit(LIGHT, 2)
    const reader = await openStream(`${registrationUrl}&${name}=${id}`)
    expect((await reader.take(2)).slice(1).map(valueIn)).toEqual([2])
    const { id: last } = reader.blocks.at(-1)!
    reader.cut()
    await expect.poll(() => streams.list()).toEqual([])
    await emit(LIGHT, 3)
    const again = await openStream(`${registrationUrl}&${name}=${id}`, { 'last-event-id': last! })
    expect((await again.take(2)).slice(1).map(valueIn)).toEqual([3])
  },
)

test('an empty event ID counts as absent, and the stream starts with new events', async () => {
  const { emit, registrationUrl } = await interrupted()
  await emit(LIGHT, 2)
  const reader = await openStream(registrationUrl, { 'last-event-id': '' })
  await reader.next()
  await emit(LIGHT, 3)
  expect(valueIn((await reader.next())!)).toBe(3)
})

test('a stream that ends during its replay writes nothing into the next response', async () => {
  const { subscribe, ports, call, address } = await startEvents()
  const { registrationUrl, subscriptionId } = await subscribe()
  let goOn = () => {}
  const isHeld = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const spy = vi.spyOn(ports.bus, 'history').mockImplementationOnce(async () => {
    await isHeld
    return { events: [], complete: false }
  })
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  const { pathname, search } = new URL(registrationUrl)
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\nlast-event-id: 0-0\r\n\r\n`)
  await expect.poll(() => spy.mock.calls.length).toBe(1)
  await call('DELETE', `/subscriptions/${subscriptionId}`)
  await expect.poll(() => text).toMatch(/0\r\n\r\n$/)
  const atEnd = text.length
  goOn()
  socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await once(socket, 'close')
  expect(text.slice(atEnd)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).not.toContain('data: gap')
})
