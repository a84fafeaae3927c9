import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { asGuest, buildTestApp, listen } from '../../../helpers/build-test-app.ts'
import { HOME, LIGHT, startEvents } from '../../../helpers/documents/events.ts'
import { startProcess } from '../../../helpers/server-process.ts'

const begun = {
  nothing: '',
  'half a head': 'POST /subscriptions HTTP/1.1\r\nHost: x\r\n',
  'half a body': 'POST /_control/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf',
  'a request, and half of the next': 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /health/li',
}

test('idle and incomplete connections do not delay closing, and a pending request gets a response', async () => {
  const servers = Object.entries(begun).map(([what, bytes]) => ({ what, bytes, app: buildTestApp().app }))
  await Promise.all(
    servers.map(async ({ what, bytes, app }) => {
      const address = await listen(app)
      const fault = { match: { operation: 30 }, delayMs: 30_000 }
      await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })
      const accepted = once(app.server, 'connection')
      const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
      await accepted
      socket.resume().write(bytes)
      const arrived = new Promise<void>((resolve) => {
        app.server.on('request', ({ url }) => url?.startsWith('/stg') && resolve())
      })
      const reply = fetch(`${address}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
      await arrived
      const ended = once(socket, 'close')
      await app.close()
      expect((await reply).status, what).toBe(503)
      await ended
    }),
  )
})

test("a request on an open connection during closing returns 503 in its API's error format", async () => {
  const { app } = buildTestApp()
  await app.ready()
  await app.close()
  // Uses another server, because the test closes the connections of the app's own server.
  const server = createServer((request, reply) => app.routing(request, reply)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const ask = async (path: string, init?: RequestInit) => {
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init)
    return [reply.status, reply.headers.get('connection'), await reply.text()]
  }
  const message = 'the server is closing'
  const error = { requestId: expect.any(String), error: { code: 'ServiceUnavailableError', message, details: [] } }
  const [status, connection, body] = await ask('/stg/us/guest/zipCode?zipCode=07660', { headers: asGuest() })
  expect([status, connection, JSON.parse(String(body))]).toEqual([503, 'close', error])
  const wallet = await ask('/wallet/cmn/v2.0/device/available')
  expect(wallet).toEqual([
    503,
    'close',
    JSON.stringify({ resultCode: 'CMN5N9001', resultMessage: 'the server is closing' }),
  ])
  const soap = await ask('/iap/ws/RTCService', {
    method: 'POST',
    body: '<a/>',
    headers: { 'content-type': 'text/xml' },
  })
  expect(soap).toEqual([503, 'close', expect.stringContaining('the server is closing')])
})

test.each([
  ['completes a call that is due in two seconds', 2000, 200],
  ['ends a longer delay with a 503 response', 30_000, 503],
])('on SIGTERM, the server %s and exits with code 0 within 5 s', async (_what, delayMs, status) => {
  const server = await startProcess({})
  const post = (path: string, body: object) =>
    fetch(`${server.url}/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('faults', { match: { operation: 30 }, delayMs })
  const waiting = post('journal/verify', { match: { operation: 1 }, withinMs: 60_000 })
  const delayed = fetch(`${server.url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
  // The fault is counted when its delay starts.
  await expect
    .poll(async () => (await (await fetch(`${server.url}/_control/faults`)).text()).includes('"hits":1'))
    .toBe(true)
  const before = performance.now()
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(performance.now() - before).toBeLessThan(5000)
  expect([(await waiting).status, (await delayed).status]).toEqual([503, status])
})

test('the server exits within 5 s of SIGTERM even if a client reads slowly', async () => {
  const server = await startProcess({})
  const { hostname, port } = new URL(server.url)
  for (let i = 0; i < 40; i++) {
    const components = { main: { switch: { switch: { value: 'x'.repeat(900_000) } } } }
    const body = JSON.stringify({ locationId: HOME, name: 'large', status: 'ONLINE', components })
    const put = await fetch(`${server.url}/_control/records/devices/large-${i}`, { method: 'PUT', body })
    expect([put.status, put.ok ? '' : await put.text()]).toEqual([200, ''])
  }
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write('GET /_control/snapshot HTTP/1.1\r\nHost: localhost\r\n\r\n')
  // The client continues to read, but so slowly that it does not reach the end.
  const reader = setInterval(() => socket.read(200_000) ?? socket.read(), 100)
  onTestFinished(() => clearInterval(reader))
  await once(socket, 'readable')
  const before = performance.now()
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(performance.now() - before).toBeLessThan(5000)
})

test('an event accepted during closing is sent to its stream before the stream ends', async () => {
  const { app, address, stream } = await startEvents()
  const { reader } = await stream()
  const body = JSON.stringify({ capability: 'switch', attribute: 'switch', value: 'on' })
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
  const come = once(app.server, 'request')
  const head = `POST /_control/devices/${LIGHT}/events HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n`
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 9)}`)
  await come
  const closing = once(app.closing, 'abort')
  const closed = app.close()
  await closing
  socket.write(body.slice(9))
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  expect(await reader.ended).toBe('end')
  expect(reader.text).toContain('"value":"on"')
  await closed
})
