import { once } from 'node:events'
import fs from 'node:fs'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { answerInTurn } from '../../../../src/server/http/connection/pipelining.ts'
import { asGuest, buildTestApp, listen } from '../../../helpers/build-test-app.ts'
import { startEvents } from '../../../helpers/documents/events.ts'
import { sendRaw } from '../../../helpers/raw-request.ts'

const get = (path: string, headers: object = asGuest(), line = 'HTTP/1.1') =>
  `GET ${path} ${line}\r\nHost: localhost\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

const ZIP_CODE = '/stg/us/guest/zipCode?zipCode=07660'
const PAGE = '/docs/swagger-ui-bundle.js'
const LAST = { ...asGuest(), connection: 'close' }

const idsOf = (text: string) => [...text.matchAll(/^x-request-id: (.*)\r$/gm)].map(([, id]) => id)
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

async function open(address: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Resolves when so many requests have come in. */
function whenCome({ server }: FastifyInstance, count: number): Promise<void> {
  let come = 0
  return new Promise((resolve) => {
    server.on('request', () => ++come === count && resolve())
  })
}

/** What comes until `part` has come. */
function readUntil(socket: Socket, part: string): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes(part)) resolve(text)
    })
  })
}

async function readToTheEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

/** Too much for what the system holds of a reply that nobody reads. */
const LARGE = 10

test('nothing is made for a request before the reply before it on its connection has left', async () => {
  const { app, worlds } = buildTestApp()
  const address = await listen(app)
  const { journal } = worlds.find('default')!
  const come = whenCome(app, 60)
  const socket = (await open(address)).pause()
  socket.write(get(PAGE, {}).repeat(LARGE) + get(ZIP_CODE).repeat(49) + get(ZIP_CODE, LAST))
  await come
  // Another client is answered while that one reads nothing.
  const beside = await fetch(address + ZIP_CODE, { headers: asGuest() })
  expect([beside.status, journal.newest()]).toEqual([200, 1])
  const text = await readToTheEnd(socket)
  expect(statusesOf(text)).toEqual(Array(60).fill(200))
  const numbers = idsOf(text).map((id) => Number.parseInt(id!.replace('req-', ''), 36))
  expect(numbers, 'in the order in which they came').toEqual(numbers.toSorted((a, b) => a - b))
  expect(journal.newest()).toBe(51)
})

test('of requests that waited on ten connections one begins in a turn of the event loop', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  answerInTurn(app, { replies: new WeakMap(), mostWaiting: 1_000, isStream: () => false })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let first = 0
  app.get('/first', async () => {
    if (++first === 10) release()
    await released
    return ''
  })
  const turns: number[] = []
  app.get('/behind', async () => {
    turns.push(performance.nodeTiming.uvMetricsInfo.loopCount)
    return ''
  })
  const address = await listen(app)
  const last = get('/behind', { connection: 'close' })
  const text = get('/first', {}) + get('/behind', {}).repeat(4) + last
  await Promise.all(Array.from({ length: 10 }, () => sendRaw(address, text)))
  expect(turns.length).toBe(50)
  expect(new Set(turns).size).toBe(50)
})

test('pages that were asked for in one go leave no file open when their connection is gone', async () => {
  const opened = vi.spyOn(fs, 'createReadStream')
  onTestFinished(() => opened.mockRestore())
  const { app } = buildTestApp()
  const address = await listen(app)
  const come = whenCome(app, 200)
  const socket = await open(address)
  socket.write(get(PAGE, {}).repeat(200))
  await Promise.all([come, once(socket, 'readable')])
  expect((await fetch(`${address}/health/live`)).status).toBe(200)
  socket.destroy()
  const files = () => opened.mock.results.map(({ value }) => value as fs.ReadStream)
  await expect.poll(() => files().every(({ closed }) => closed)).toBe(true)
  expect(files().length).toBeGreaterThan(0)
})

test('a client that reads is answered however much it asks for in one go', async () => {
  const { app } = buildTestApp()
  const text = await sendRaw(
    await listen(app),
    get('/health/live', {}).repeat(3_999) + get('/health/live', { connection: 'close' }),
  )
  expect(statusesOf(text)).toEqual(Array(4_000).fill(200))
})

test('a stream opens behind a request, and what was asked behind a stream is answered when it has ended', async () => {
  const { address, subscribe, call } = await startEvents()
  const { subscriptionId, registrationUrl } = await subscribe()
  const { pathname, search } = new URL(registrationUrl)
  const socket = await open(address)
  socket.write(get(ZIP_CODE) + get(pathname + search, {}) + get(ZIP_CODE, LAST))
  const begun = await readUntil(socket, 'welcome')
  expect(statusesOf(begun)).toEqual([200, 200])
  const rest = readUntil(socket, 'Ridgefield')
  expect((await call('DELETE', `/subscriptions/${subscriptionId}`)).status).toBe(204)
  expect(await rest).toMatch(/goodbye.*\r\n0\r\n\r\nHTTP\/1\.1 200 /s)
})

test('replies that faults take over keep their place between others', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  const fault = { match: { query: { zipCode: '10001' } }, respond: { drip: 100_000 } }
  expect((await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })).statusCode).toBe(200)
  const text = await sendRaw(address, get(ZIP_CODE) + get(ZIP_CODE.replace('07660', '10001')) + get(ZIP_CODE, LAST))
  expect([...text.matchAll(/"city":"([^"]*)"/g)].map(([, city]) => city)).toEqual([
    'Ridgefield Park',
    'New York',
    'Ridgefield Park',
  ])
})

test('a connection that stays open over HTTP/1.0 is answered in turn, too', async () => {
  const { app } = buildTestApp()
  const stays = { ...asGuest(), connection: 'keep-alive' }
  const text = await sendRaw(await listen(app), get(ZIP_CODE, stays, 'HTTP/1.0') + get(ZIP_CODE, LAST, 'HTTP/1.0'))
  expect(statusesOf(text)).toEqual([200, 200])
})

test('nothing is done for a request behind the one that closes its connection', async () => {
  const { app, store } = buildTestApp()
  const before = await store.feedback.count()
  const body = '{"rating":5,"comment":"fine"}'
  const headers = { ...asGuest(), 'content-type': 'application/json', 'content-length': body.length }
  const post = get('/stg/us/guest/customerFeedback', headers).replace('GET', 'POST') + body
  expect(statusesOf(await sendRaw(await listen(app), get(ZIP_CODE, LAST) + post))).toEqual([200])
  expect(await store.feedback.count()).toBe(before)
})

test('an expectation that is not met is told in its turn', async () => {
  const { app } = buildTestApp()
  const odd = get(ZIP_CODE, { ...asGuest(), expect: 'wonders' })
  expect(statusesOf(await sendRaw(await listen(app), get(ZIP_CODE) + odd + get(ZIP_CODE, LAST)))).toEqual([
    200, 417, 200,
  ])
})
