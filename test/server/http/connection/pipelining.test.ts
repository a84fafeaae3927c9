import { once } from 'node:events'
import fs from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
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

function whenCome({ server }: FastifyInstance, count: number): Promise<void> {
  let come = 0
  return new Promise((resolve) => {
    server.on('request', () => ++come === count && resolve())
  })
}

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

test('the first 16 pipelined requests get responses in order, and then the connection closes', async () => {
  const { app, worlds } = buildTestApp()
  const address = await listen(app)
  const { journal } = worlds.find('default')!
  const text = await sendRaw(address, get(ZIP_CODE).repeat(100))
  expect(statusesOf(text)).toEqual(Array(16).fill(200))
  expect([...text.matchAll(/^connection: (.*)\r$/gim)].map(([, value]) => value)).toEqual([
    ...Array(15).fill('keep-alive'),
    'close',
  ])
  const numbers = idsOf(text).map((id) => Number.parseInt(id!.replace('req-', ''), 36))
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(journal.newest()).toBe(16)
})

test('other clients get responses while one client does not read its 16 pipelined responses', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  const come = whenCome(app, 60)
  const socket = (await open(address)).pause()
  socket.write(get(PAGE, {}).repeat(60))
  await come
  expect((await fetch(address + ZIP_CODE, { headers: asGuest() })).status).toBe(200)
  expect(statusesOf(await readToTheEnd(socket))).toEqual(Array(16).fill(200))
})

test('the connection of a client that never pipelines more than 15 requests remains open', async () => {
  const { app } = buildTestApp()
  const socket = await open(await listen(app))
  for (let i = 0; i < 10; i++) {
    let text = ''
    const collect = (chunk: Buffer) => (text += chunk.toString('latin1'))
    socket.on('data', collect)
    socket.write(get('/health/live', {}).repeat(15))
    await vi.waitUntil(() => statusesOf(text).length === 15)
    socket.off('data', collect)
  }
  expect(socket.readyState).toBe('open')
})

test('a pipelined request whose client disconnects before the response is recorded in the journal', async () => {
  const { app, worlds } = buildTestApp()
  const { journal } = worlds.find('default')!
  const address = await listen(app)
  await app.inject({ method: 'POST', url: '/_control/faults', payload: { match: { operation: 30 }, delayMs: 300 } })
  const come = whenCome(app, 2)
  const socket = await open(address)
  socket.write(get(ZIP_CODE) + get(PAGE, {}))
  await come
  socket.destroy()
  await expect.poll(() => journal.newest()).toBe(1)
})

test('all files of pipelined page requests are closed after the connection is closed', async () => {
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

test('a stream request pipelined after another returns 400, and requests after a stream wait', async () => {
  const { address, subscribe, call } = await startEvents()
  const { subscriptionId, registrationUrl } = await subscribe()
  const { pathname, search } = new URL(registrationUrl)
  const behind = await sendRaw(address, get(ZIP_CODE) + get(pathname + search, {}) + get(ZIP_CODE, LAST))
  expect(statusesOf(behind)).toEqual([200, 400, 200])
  const socket = await open(address)
  socket.write(get(pathname + search, {}) + get(ZIP_CODE, LAST))
  expect(statusesOf(await readUntil(socket, 'welcome'))).toEqual([200])
  const rest = readUntil(socket, 'Ridgefield')
  expect((await call('DELETE', `/subscriptions/${subscriptionId}`)).status).toBe(204)
  expect(await rest).toMatch(/goodbye.*\r\n0\r\n\r\nHTTP\/1\.1 200 /s)
})

test('a reset fault on a pipelined request closes the connection after the earlier responses', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  const fault = { match: { query: { zipCode: '10001' } }, respond: { reset: true } }
  expect((await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })).statusCode).toBe(200)
  const text = await sendRaw(address, get(ZIP_CODE) + get(ZIP_CODE.replace('07660', '10001')) + get(ZIP_CODE, LAST))
  expect(statusesOf(text)).toEqual([200])
})

test('a throttled response is sent in order among other pipelined responses', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  const fault = { match: { query: { zipCode: '10001' } }, respond: { throttle: 100_000 } }
  expect((await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })).statusCode).toBe(200)
  const text = await sendRaw(address, get(ZIP_CODE) + get(ZIP_CODE.replace('07660', '10001')) + get(ZIP_CODE, LAST))
  expect([...text.matchAll(/"city":"([^"]*)"/g)].map(([, city]) => city)).toEqual([
    'Ridgefield Park',
    'New York',
    'Ridgefield Park',
  ])
})

test('pipelined requests on an HTTP/1.0 keep-alive connection get their responses in order', async () => {
  const { app } = buildTestApp()
  const stays = { ...asGuest(), connection: 'keep-alive' }
  const text = await sendRaw(await listen(app), get(ZIP_CODE, stays, 'HTTP/1.0') + get(ZIP_CODE, LAST, 'HTTP/1.0'))
  expect(statusesOf(text)).toEqual([200, 200])
})

test('requests after a request with connection: close are not processed', async () => {
  const { app, store } = buildTestApp()
  const before = await store.feedback.count()
  const body = '{"rating":5,"comment":"fine"}'
  const headers = { ...asGuest(), 'content-type': 'application/json', 'content-length': body.length }
  const post = get('/stg/us/guest/customerFeedback', headers).replace('GET', 'POST') + body
  expect(statusesOf(await sendRaw(await listen(app), get(ZIP_CODE, LAST) + post))).toEqual([200])
  expect(await store.feedback.count()).toBe(before)
})

test('a 417 response is sent in order among other pipelined responses', async () => {
  const { app } = buildTestApp()
  const odd = get(ZIP_CODE, { ...asGuest(), expect: 'wonders' })
  expect(statusesOf(await sendRaw(await listen(app), get(ZIP_CODE) + odd + get(ZIP_CODE, LAST)))).toEqual([
    200, 417, 200,
  ])
})
