import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestApp, listen } from '../../../helpers/build-test-app.ts'
import { sendRaw } from '../../../helpers/raw-request.ts'

const head = (line: string, ...headers: string[]) =>
  `${[`POST ${line} HTTP/1.1`, 'Host: a', 'Expect: 100-continue', ...headers].join('\r\n')}\r\n\r\n`
const source = 'request-source: vendor.com'
const json = 'content-type: application/json'

test.each([
  ['has an unknown path', head('/nothing', 'content-length: 9'), 404],
  ['has no identity', head('/stg/us/dealer/customers', source, json, 'content-length: 9'), 401],
  ['has no token', head('/subscriptions', json, 'content-length: 9'), 401],
  ['announces a large body', head('/stg/us/guest/customerFeedback', source, json, 'content-length: 9999999'), 400],
  ['announces a large message', head('/iap/ws/RTCService', 'content-type: text/xml', 'content-length: 99999'), 413],
])('a request that %s is rejected without 100 Continue, and its connection closes', async (_, text, status) => {
  const { app } = buildTestApp()
  const received = await sendRaw(await listen(app), text)
  expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\nconnection: close\r\n`, 'i'))
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
})

test.each([
  ['its length', 'content-length: 29', '{"rating":5,"comment":"fine"}'],
  ['chunks', 'transfer-encoding: chunked', '1d\r\n{"rating":5,"comment":"fine"}\r\n0\r\n\r\n'],
])('a body of %s is asked for once, and its connection stays open', async (_, framing, body) => {
  const { app } = buildTestApp()
  const socket = connect(Number(new URL(await listen(app)).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const read = async () => String((await once(socket, 'data'))[0])
  for (let i = 0; i < 2; i++) {
    socket.write(head('/stg/us/guest/customerFeedback', source, json, framing))
    expect(await read()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    expect(await read()).toMatch(/^HTTP\/1\.1 200 OK/)
  }
})
