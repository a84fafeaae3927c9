import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import type { Bus } from '../../../src/server/ports/bus.ts'
import type { Store } from '../../../src/server/ports/store.ts'
import { ALL, LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { entriesOf } from '../../helpers/journal.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'

function hold() {
  let goOn = () => {}
  const isHeld = new Promise<void>((resolve) => {
    goOn = resolve
  })
  return { isHeld, goOn }
}

/** Opens a stream that claims its slot and then waits until `goOn` is called. */
async function openHeld(bus: Bus, registrationUrl: string) {
  const { claim } = bus
  const { isHeld, goOn } = hold()
  const spy = vi.spyOn(bus, 'claim').mockImplementationOnce(async (claimed) => {
    const outcome = await claim(claimed)
    await isHeld
    return outcome
  })
  const opening = openStream(registrationUrl)
  await expect.poll(() => spy.mock.calls.length).toBe(1)
  spy.mockRestore()
  return { opening, goOn }
}

function holdNextFind(subscriptions: Pick<Store['subscriptions'], 'find'>) {
  const { find } = subscriptions
  const { isHeld, goOn } = hold()
  const spy = vi.spyOn(subscriptions, 'find').mockImplementationOnce(async (query) => {
    await isHeld
    return find(query)
  })
  const isLooking = async () => {
    await expect.poll(() => spy.mock.calls.length).toBe(1)
  }
  return { isLooking, goOn }
}

test('opening a subscription again ends its stream, and the new stream gets the events', async () => {
  const { stream, emit } = await startEvents()
  const { reader: older, registrationUrl } = await stream()
  const newer = await openStream(registrationUrl)
  expect((await newer.next())?.id).toMatch(/^2-\d+$/)
  expect(await older.ended).toBe('end')
  await emit(LIGHT, 'on')
  expect((await newer.next())?.id).toMatch(/^2-\d+$/)
  expect(older.blocks).toHaveLength(1)
  expect(older.text).not.toContain('goodbye')
})

test('a stream that opens after a newer stream of its subscription ends', async () => {
  const { subscribe, ports, streams, emit } = await startEvents()
  const { registrationUrl, subscriptionId } = await subscribe()
  const { opening, goOn } = await openHeld(ports.bus, registrationUrl)
  const newer = await openStream(registrationUrl)
  expect((await newer.next())?.id).toMatch(/^2-\d+$/)
  goOn()
  expect(await (await opening).ended).toBe('end')
  expect(streams.list()).toMatchObject([{ subscriptionId, claim: { generation: 2 } }])
  expect(await ports.bus.findClaim({ subscriptionId })).toMatchObject({ generation: 2 })
  await emit(LIGHT, 'on')
  expect((await newer.next())?.event).toBe('DEVICE_EVENT')
})

test('an admitted stream ends if its world is reset before the stream opens', async () => {
  const { subscribe, ports, call } = await startEvents()
  const { registrationUrl } = await subscribe()
  const { opening, goOn } = await openHeld(ports.bus, registrationUrl)
  expect((await call('POST', '/_control/reset')).status).toBe(204)
  goOn()
  expect(await (await opening).ended).toBe('end')
})

test('an admitted stream ends if the server begins to close before the stream opens', async () => {
  const { app, subscribe, ports } = await startEvents()
  const { registrationUrl } = await subscribe()
  const { opening, goOn } = await openHeld(ports.bus, registrationUrl)
  const closing = once(app.closing, 'abort')
  const closed = app.close()
  await closing
  // After this, the handlers that end streams have run.
  await new Promise(setImmediate)
  goOn()
  expect(await (await opening).ended).toBe('end')
  await closed
})

test('a stream ends if another subscription claims its token before the stream opens', async () => {
  const { subscribe, ports } = await startEvents()
  const [{ registrationUrl, subscriptionId }, other] = [await subscribe(), await subscribe()]
  const { opening, goOn } = await openHeld(ports.bus, registrationUrl)
  const lost = (await ports.bus.findClaim({ subscriptionId }))!
  await ports.bus.release(lost)
  const taken = { ...lost, subscriptionId: other.subscriptionId }
  expect(await ports.bus.claim(taken)).toBe('granted')
  goOn()
  expect(await (await opening).ended).toBe('end')
  expect(await ports.bus.findClaim({ subscriptionId })).toBeUndefined()
  expect(await ports.bus.findClaim({ tokenDigest: lost.tokenDigest })).toEqual(taken)
})

test('revoking a token ends all its streams, even a stream that is still opening', async () => {
  const { subscribe, ports, call } = await startEvents()
  const [{ registrationUrl, subscriptionId }, other] = [await subscribe(), await subscribe()]
  const late = await openHeld(ports.bus, registrationUrl)
  await ports.bus.release((await ports.bus.findClaim({ subscriptionId }))!)
  const holder = await openStream(other.registrationUrl)
  await holder.next()
  const lookup = holdNextFind(ports.store.subscriptions)
  late.goOn()
  await lookup.isLooking()
  await call('DELETE', '/_control/tokens/token-home')
  expect([await holder.ended, await (await late.opening).ended]).toEqual(['end', 'end'])
  lookup.goOn()
})

test('a stream whose claim was released before it opened claims its token again', async () => {
  const { subscribe, ports } = await startEvents()
  const { registrationUrl, subscriptionId } = await subscribe()
  const { opening, goOn } = await openHeld(ports.bus, registrationUrl)
  const claim = (await ports.bus.findClaim({ subscriptionId }))!
  await ports.bus.release(claim)
  goOn()
  expect((await (await opening).next())?.event).toBe('CONTROL_EVENT')
  await expect.poll(() => ports.bus.findClaim({ subscriptionId })).toEqual(claim)
})

test('a stream that ends while it claims its token leaves no claim', async () => {
  const { subscribe, ports, streams } = await startEvents()
  const { registrationUrl, subscriptionId } = await subscribe()
  const { claim } = ports.bus
  const { isHeld, goOn } = hold()
  const spy = vi.spyOn(ports.bus, 'claim')
  spy.mockImplementationOnce(claim).mockImplementationOnce(async (again) => {
    await isHeld
    return claim(again)
  })
  const reader = await openStream(registrationUrl)
  await expect.poll(() => spy.mock.calls.length).toBe(2)
  reader.cut()
  await expect.poll(() => streams.list()).toEqual([])
  goOn()
  await expect.poll(() => spy.mock.results[1]?.type).toBe('return')
  await spy.mock.results[1]?.value
  await expect.poll(() => ports.bus.findClaim({ subscriptionId })).toBeUndefined()
})

test("a stream that ends before its replay does not take an older stream's claim", async () => {
  const { subscribe, ports, streams } = await startEvents()
  const { registrationUrl, subscriptionId } = await subscribe()
  const older = await openHeld(ports.bus, registrationUrl)
  const lookup = holdNextFind(ports.store.subscriptions)
  const reader = await openStream(registrationUrl)
  await lookup.isLooking()
  reader.cut()
  await expect.poll(() => streams.list()).toEqual([])
  older.goOn()
  expect((await (await older.opening).next())?.id).toMatch(/^1-\d+$/)
  const released = vi.spyOn(ports.bus, 'release')
  lookup.goOn()
  await expect.poll(() => released.mock.calls.length).toBeGreaterThan(0)
  expect(await ports.bus.findClaim({ subscriptionId })).toMatchObject({ generation: 1 })
})

test('a replaced client that reconnects gets 204, and the newer stream continues', async () => {
  const { stream, emit, streams, journal } = await startEvents()
  const { reader: older, registrationUrl } = await stream()
  const shown = { 'last-event-id': older.blocks[0]!.id! }
  const newer = await openStream(registrationUrl, shown)
  await newer.next()
  await older.ended
  const again = await openStream(registrationUrl, shown)
  expect(again.status).toBe(204)
  expect(again.text).toBe('')
  const entry = (await entriesOf(journal)).find(({ status }) => status === 204)
  expect(entry?.why).toMatchObject({ message: expect.stringContaining('a newer connection has replaced') })
  await emit(LIGHT, 'on')
  expect((await newer.next())?.event).toBe('DEVICE_EVENT')
  expect(streams.list()).toMatchObject([{ subscriptionId: expect.any(String) }])
})

test('a client that reconnects with the last event ID of the live stream replaces it', async () => {
  const { stream, emit } = await startEvents()
  const { reader, registrationUrl } = await stream()
  await emit(LIGHT, 'on')
  const { id } = (await reader.next())!
  const again = await openStream(registrationUrl, { 'last-event-id': id! })
  expect(again.status).toBe(200)
  expect((await again.next())?.id).toBe(id!.replace(/^1-/, '2-'))
  expect(await reader.ended).toBe('end')
})

test('an event ID of an earlier stream opens a new stream if none is live', async () => {
  const { stream, streams } = await startEvents()
  const { reader: first, registrationUrl } = await stream()
  const second = await openStream(registrationUrl)
  await second.next()
  second.cut()
  await expect.poll(() => streams.list()).toEqual([])
  expect((await openStream(registrationUrl, { 'last-event-id': first.blocks[0]!.id! })).status).toBe(200)
})

test('opening another subscription with the same token returns 409 while a stream is live', async () => {
  const { stream, subscribe, streams } = await startEvents()
  const { reader } = await stream()
  const { registrationUrl } = await subscribe()
  const reply = await fetch(registrationUrl)
  expect([reply.status, reply.headers.get('x-vendor-cloud-rule')]).toEqual([409, 'our choice: one-stream'])
  expect(await reply.json()).toMatchObject({
    error: { code: 'ConflictError', details: [{ code: 'LimitExceeded', source: 'document 2, section 8' }] },
  })
  reader.cut()
  await expect.poll(() => streams.list()).toEqual([])
  expect((await openStream(registrationUrl)).status).toBe(200)
})

test('DELETE sends goodbye, ends the stream and frees its token for other subscriptions', async () => {
  const { stream, subscribe, call } = await startEvents()
  const { reader, subscriptionId, registrationUrl } = await stream()
  const other = await subscribe()
  expect((await call('DELETE', `/subscriptions/${subscriptionId}`)).status).toBe(204)
  expect((await openStream(other.registrationUrl)).status).toBe(200)
  expect(await reader.next()).toMatchObject({ event: 'CONTROL_EVENT', data: 'goodbye' })
  expect(await reader.ended).toBe('end')
  expect((await openStream(registrationUrl)).status).toBe(404)
})

test('different tokens can have live streams at the same time, even for the same user', async () => {
  const { stream, emit, address, subscribe } = await startEvents()
  const { reader } = await stream()
  const { reader: other } = await stream(ALL, { token: 'token-other' })
  const { subscriptionId } = await subscribe()
  const bearer = { authorization: 'Bearer token-guest' }
  const third = await openStream(`${address}/filters/${subscriptionId}/activate`, bearer)
  await third.next()
  await emit(LIGHT, 'on')
  expect((await reader.next())?.event).toBe('DEVICE_EVENT')
  expect((await third.next())?.event).toBe('DEVICE_EVENT')
  expect(other.blocks).toHaveLength(1)
})

test('of 50 streams opened in parallel with the same token, only one remains live', async () => {
  const { subscribe, streams, emit } = await startEvents()
  const { registrationUrl } = await subscribe()
  const { registrationUrl: another } = await subscribe()
  const urls = Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? another : registrationUrl))
  const readers = await Promise.all(urls.map((url) => openStream(url)))
  await expect.poll(() => streams.list().length).toBe(1)
  await emit(LIGHT, 'on')
  const open = readers.filter(({ status }) => status === 200)
  const counts = await Promise.all(
    open.map((reader) =>
      Promise.race([
        reader.until('DEVICE_EVENT').then(
          () => 1,
          () => 0,
        ),
        reader.ended.then(() => 0),
      ]),
    ),
  )
  expect(counts.reduce<number>((sum, count) => sum + count, 0)).toBe(1)
})

test('opening more streams than MAX_STREAMS returns 429, but a replaced stream counts only once', async () => {
  const { stream, subscribe, streams } = await startEvents({ events: { maxStreams: 1 } })
  const { reader, registrationUrl } = await stream()
  const other = await subscribe([{ type: 'LOCATIONIDS', value: ['ALL'] }], { token: 'token-other' })
  const refused = await fetch(other.registrationUrl)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ error: { details: [{ code: 'LimitExceeded' }] } })
  const again = await openStream(registrationUrl)
  expect(again.status).toBe(200)
  await reader.ended
  again.cut()
  await expect.poll(() => streams.list()).toEqual([])
  expect((await openStream(other.registrationUrl)).status).toBe(200)
})

test('a stream request pipelined after another stream returns 400 when the first stream ends', async () => {
  const { subscribe, call, streams } = await startEvents()
  const { registrationUrl, subscriptionId } = await subscribe()
  const { registrationUrl: behind } = await subscribe(ALL, { token: 'token-other' })
  const other = await openStream(behind)
  const socket = connect(Number(new URL(behind).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  for (const url of [registrationUrl, behind]) {
    const { host, pathname, search } = new URL(url)
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  }
  await expect.poll(() => text).toContain('welcome')
  await call('DELETE', `/subscriptions/${subscriptionId}`)
  await expect.poll(() => text).toMatch(/goodbye[\s\S]*HTTP\/1\.1 400 /)
  expect(await Promise.race([other.ended, Promise.resolve('open')])).toBe('open')
  expect(streams.list()).toHaveLength(1)
  socket.destroy()
  await once(socket, 'close')
})

const small = 'x'.repeat(20)
const live = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'
test.each([
  ['a body of 200 kB', `Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`],
  ['a pipelined request', '\r\nGET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['16 pipelined requests', `\r\n${'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16)}`],
  ['a pipelined request with a body', `\r\nPOST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n${small}`],
  [
    'a pipelined request with an incomplete body',
    `\r\nPOST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n${small}`,
  ],
  [
    'a pipelined request with an unfinished chunked body',
    '\r\nPOST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5',
  ],
  ['an incomplete second pipelined request', `\r\n${live}GET /health/l`],
])('the stream of a client that opened it with %s ends when the client disconnects', async (_, rest) => {
  const { address, subscribe, streams } = await startEvents({ events: { heartbeatSeconds: 3600 } })
  const { pathname, search, hostname, port } = new URL((await subscribe()).registrationUrl, address)
  const socket = connect(Number(port), hostname)
  const begun = once(socket, 'data')
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n${rest}`)
  await begun
  await expect.poll(() => streams.size).toBe(1)
  socket.end()
  await expect.poll(() => streams.size).toBe(0)
})
