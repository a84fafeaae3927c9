import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { readReply, sendRaw } from '../../helpers/raw-request.ts'

const chunked = 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"rat\r\n'
const unreadable = { 'that is no HTTP further on': `${chunked}ZZ\r\n`, 'that does not come to its end': chunked }

test.each([
  ['that is no HTTP further on', 400, 'the request is not valid HTTP'],
  ['that does not come to its end', 408, 'the request took too long to arrive'],
] as const)('a request %s is answered with %i, and counted and journaled so', async (kind, status, message) => {
  const { worlds } = buildTestApp()
  const bounds = { requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 20 }
  const app = buildApp({ worlds, bounds, control: { open: true, worlds, version: 'test' } })
  onTestFinished(() => app.close())
  const head = 'POST /stg/us/guest/customerFeedback HTTP/1.1\r\nHost: localhost\r\nrequest-source: vendor.com\r\n'
  const text = `${head}Content-Type: application/json\r\n${unreadable[kind]}`
  expect(readReply(await sendRaw(await listen(app), text)).status).toBe(status)
  const read = async () => (await app.inject('/_control/journal')).json().entries
  await expect.poll(read).toMatchObject([{ status, why: { message } }])
  expect((await app.inject('/metrics')).payload).toContain(`operation="22",status="${status}"} 1`)
})
