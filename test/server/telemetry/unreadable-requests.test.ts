import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { readReply, sendRaw } from '../../helpers/raw-request.ts'

const head = 'POST /stg/us/guest/customerFeedback HTTP/1.1\r\nHost: localhost\r\nrequest-source: vendor.com\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"rat\r\n'
const unreadable = {
  'that contains invalid HTTP in its body': `${chunked}ZZ\r\n`,
  'whose body does not arrive completely': chunked,
}

test.each([
  ['that contains invalid HTTP in its body', 400, 'the request is not valid HTTP'],
  ['whose body does not arrive completely', 408, 'the request took too long to arrive'],
] as const)('a request %s returns %i, and is counted and recorded in the journal', async (kind, status, message) => {
  const { worlds } = buildTestApp()
  const bounds = { requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 20 }
  const app = buildApp({ worlds, bounds, control: { open: true, worlds, jobs: createJobQueue(), version: 'test' } })
  onTestFinished(() => app.close())
  const text = `${head}Content-Type: application/json\r\n${unreadable[kind]}`
  expect(readReply(await sendRaw(await listen(app), text)).status).toBe(status)
  const read = async () => (await app.inject('/_control/journal')).json().entries
  await expect.poll(read).toMatchObject([{ status, why: { message } }])
  expect((await app.inject('/metrics')).payload).toContain(`operation="22",status="${status}"} 1`)
})

test.each([
  ['has not arrived', '', 'the client disconnected before its request was complete'],
  ['has arrived in part', '{"rat', 'the client disconnected before its request was complete'],
  ['has arrived completely', '{"rating":5,"comment":"cc"}', 'the client disconnected before the response'],
])(
  'a delayed request whose body %s is counted with status 499 when its client disconnects',
  async (_, body, message) => {
    const { app } = buildTestApp()
    const fault = { match: { operation: 22 }, delayMs: 100 }
    await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })
    await app.inject({ method: 'POST', url: '/_control/recordings', payload: {} })
    const socket = connect(Number(new URL(await listen(app)).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const come = once(app.server, 'request')
    const text = `${head}Content-Type: application/json\r\nContent-Length: 27\r\n\r\n${body}`
    socket.write(text)
    await come
    socket.resetAndDestroy()
    const counted = async () => (await app.inject('/metrics')).payload.includes('operation="22",status="499"} 1')
    await expect.poll(counted).toBe(true)
    const [entry] = (await app.inject('/_control/journal')).json().entries
    expect([entry.status, entry.why.code, entry.why.message]).toEqual([undefined, 'ClientDisconnected', message])
    expect((await app.inject('/_control/recordings/current')).payload).not.toContain('customerFeedback')
  },
)
