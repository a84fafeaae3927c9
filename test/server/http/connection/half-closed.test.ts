import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../helpers/build-test-app.ts'
import { startEvents } from '../../../helpers/documents/events.ts'
import { buildLogged } from '../../telemetry/logged-app.ts'

/** A client that sends these bytes, closes its side of the connection, and waits. */
function sendAndShut(address: string, bytes: string): Socket {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {}).end(bytes)
  return socket
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nrequest-source: vendor.com\r\n\r\n`
const ZIP_CODE = '/stg/us/guest/zipCode?zipCode=07660'

const count = ({ server }: FastifyInstance) => new Promise((done) => server.getConnections((_, open) => done(open)))

test('a client that closes its side gets its responses, and the connection closes', async () => {
  const { app, lines } = buildLogged()
  app.get('/slow', () => wait(100, 'done'))
  const address = await listen(app)
  const received = await text(sendAndShut(address, get('/slow') + get('/slow')))
  expect(received.match(/HTTP\/1\.1 200 OK[\s\S]*?done/g)).toHaveLength(2)
  expect(lines).toMatchObject([{ status: 200 }, { status: 200 }])
  await expect.poll(() => count(app)).toBe(0)
})

test.each(['', get('/health/live')])(
  'a connection without a pending request closes with its client: %j',
  async (sent) => {
    const { app } = buildLogged()
    await text(sendAndShut(await listen(app), sent))
    await expect.poll(() => count(app)).toBe(0)
  },
)

test.each([{ delayMs: 900 }, { respond: { timeout: true } }])(
  'a request that a fault holds ends when its client closes its side: %j',
  async (fault) => {
    const { app } = buildLogged()
    await app.inject({ method: 'POST', url: '/_control/faults', payload: { match: { operation: 30 }, ...fault } })
    const received = await text(sendAndShut(await listen(app), get(ZIP_CODE)))
    expect(received).toBe('')
    await expect.poll(() => count(app)).toBe(0)
  },
)

test('a stream ends when its client closes its side', async () => {
  const { app, address, subscribe } = await startEvents()
  const { registrationUrl } = await subscribe()
  const { pathname, search } = new URL(registrationUrl)
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  const received = text(socket)
  socket.write(get(pathname + search))
  await expect.poll(async () => (await app.inject('/_control/streams')).json()).toMatchObject({ totalCount: 1 })
  socket.end()
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK/)
  await expect.poll(async () => (await app.inject('/_control/streams')).json()).toMatchObject({ totalCount: 0 })
})
