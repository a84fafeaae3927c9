import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../../src/server/app.ts'
import { buildTestApp, listen } from '../../../helpers/build-test-app.ts'
import { startEvents } from '../../../helpers/documents/events.ts'
import { readReply, sendRaw } from '../../../helpers/raw-request.ts'

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

const post = (path: string, body: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nrequest-source: vendor.com\r\ncontent-type: application/json\r\n` +
  `${more}content-length: ${body.length}\r\n\r\n${body}`

const FEEDBACK = post('/stg/us/guest/customerFeedback', '{"rating":5,"comment":"fine"}')
const ZIP_CODE = 'GET /stg/us/guest/zipCode?zipCode=07660 HTTP/1.1\r\nHost: a\r\nrequest-source: vendor.com\r\n\r\n'

test('valid requests before invalid data get their responses, and the invalid data returns 400', async () => {
  const { app, store } = buildTestApp()
  const before = await store.feedback.count()
  const answer = await sendRaw(await listen(app), `${FEEDBACK}${ZIP_CODE}\u0000 no request \r\n\r\n`)
  expect(statusesOf(answer)).toEqual([200, 200, 400])
  expect(await store.feedback.count()).toBe(before + 1)
})

test('the 400 response to invalid data is sent after the response to an earlier request', async () => {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/faults', payload: { match: { operation: 30 }, delayMs: 100 } })
  expect(statusesOf(await sendRaw(await listen(app), `${ZIP_CODE}no request\r\n\r\n`))).toEqual([200, 400])
})

test.each([
  ['is rejected before its body is read', 'POST /nowhere HTTP/1.1'],
  ['waits for its body', 'POST /stg/us/guest/customerFeedback HTTP/1.1'],
])('a request that %s gets only one response if its chunks are invalid', async (_what, line) => {
  const { app } = buildTestApp()
  const head = `${line}\r\nHost: a\r\nrequest-source: vendor.com\r\ntransfer-encoding: chunked\r\n\r\n`
  const address = await listen(app)
  expect(statusesOf(await sendRaw(address, `${head}5\r\nhello\r\nno chunk size\r\n`))).toHaveLength(1)
  // The error response has been sent before the invalid chunk arrives.
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
  socket.write(`${head}5\r\nhello\r\n`)
  if (line.includes('nowhere')) await once(socket, 'data')
  socket.write('no chunk size\r\n')
  await once(socket, 'close')
  expect(statusesOf(String(Buffer.concat(chunks)))).toHaveLength(1)
})

test('invalid data after a stream request closes the connection without writing into the stream', async () => {
  const { address, subscribe } = await startEvents()
  const { pathname, search } = new URL((await subscribe()).registrationUrl)
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await once(socket, 'data')
  socket.write('no request\r\n\r\n')
  await once(socket, 'close')
  expect(statusesOf(String(Buffer.concat(chunks)))).toEqual([200])
  expect(String(Buffer.concat(chunks))).not.toContain('MalformedRequestError')
})

test('an absolute-form request (RFC 9112) is handled like a request for its path', async () => {
  const { app } = buildTestApp()
  const head = ZIP_CODE.replace('/stg', 'http://localhost/w/default/support-api/stg/stg').replace(
    '\r\n',
    '\r\nConnection: close\r\n',
  )
  const reply = readReply(await sendRaw(await listen(app), head))
  expect(reply).toMatchObject({ status: 200, body: { city: 'Ridgefield Park' } })
})

test.each([
  [
    'a request with a second Host after 190 headers',
    `GET /health/live HTTP/1.1\r\nHost: a\r\n${'x:\r\n'.repeat(190)}Host: b\r\n`,
  ],
  ['a request line with HTTP/2.0', 'GET /health/live HTTP/2.0\r\nHost: a\r\n'],
])('%s returns 400', async (_what, head) => {
  const { app } = buildTestApp()
  expect(readReply(await sendRaw(await listen(app), `${head}Connection: close\r\n\r\n`)).status).toBe(400)
})

test('a request with 200 headers or more returns 431', async () => {
  const { app } = buildTestApp()
  const head = `POST /stg/us/guest/customerFeedback HTTP/1.1\r\nHost: a\r\ncontent-length: 100\r\n${'abc:\r\n'.repeat(2600)}\r\n{"a":`
  expect(readReply(await sendRaw(await listen(app), head)).status).toBe(431)
})

test.each(['__proto__', 'constructor'])('a control API request with the parameter %s returns 400', async (name) => {
  const { app } = buildTestApp()
  for (const url of [
    '/_control/status',
    '/_control/records/tickets',
    '/_control/records/tickets/1',
    '/_control/journal',
  ])
    expect((await app.inject(`${url}?${name}=x`)).statusCode, url).toBe(400)
  const put = { method: 'PUT', url: `/_control/records/tickets/1?${name}=x`, payload: {} } as const
  expect((await app.inject(put)).json().error.message).toContain(name)
})

test('a control API request with a content-encoding returns 415', async () => {
  const { app } = buildTestApp()
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  const reply = await app.inject({ method: 'POST', url: '/_control/faults', headers, payload: '{}' })
  expect(reply.statusCode).toBe(415)
})

test('links start with http or https for any x-forwarded-proto of a trusted proxy', async () => {
  const { worlds } = buildTestApp()
  const app = buildApp({ worlds, trustProxy: true })
  onTestFinished(() => app.close())
  const linkBy = async (protocol: string) =>
    (await app.inject({ url: '/iap/ws/RTCService?wsdl', headers: { 'x-forwarded-proto': protocol } })).body
  expect(await linkBy('https')).toContain('location="https://')
  expect(await linkBy('javascript')).toContain('location="http://')
  expect(await linkBy('javascript')).not.toContain('javascript')
})
