import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { readReply, sendRaw } from '../../helpers/raw-request.ts'

const KEY = 'a-key-of-sixteen-or-more'

function buildPublicApp(key?: string) {
  const { worlds } = buildTestApp()
  const app = buildApp({
    worlds,
    control: { open: false, worlds, jobs: createJobQueue(), version: 'test', ...(key ? { key } : {}) },
  })
  onTestFinished(() => app.close())
  return app
}

const status = async (app: ReturnType<typeof buildPublicApp>, headers: Record<string, string>) =>
  (await app.inject({ url: '/_control/clock', headers })).statusCode

test.each(['localhost', 'localhost:8080', '127.0.0.1:1', 'LOCALHOST', '[::1]:8080', '127.8.9.1', '127.0.0.255'])(
  'on loopback, requests with Host %s may use the control API',
  async (host) => {
    expect(await status(buildTestApp().app, { host })).toBe(200)
  },
)

test.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.1',
  '127.999.999.999',
  '127.0.0.256',
  '127.1',
])('on loopback, a control API request with Host %j returns 403, which prevents DNS rebinding', async (host) => {
  expect(await status(buildTestApp().app, { host })).toBe(403)
})

test.each([
  ['http://evil.example', '127.0.0.1', 403],
  ['http://evil.example:80', 'localhost', 403],
  ['http://127.0.0.1@evil.example', '127.0.0.1', 403],
  ['http://127.0.0.1:8080', 'evil.example', 403],
  ['http://localhost', '127.0.0.1', 200],
  ['http://127.0.0.1:8080', '127.0.0.1:8080', 200],
])('the authority of target %s takes precedence over Host %s and returns %i', async (origin, host, expected) => {
  const address = await listen(buildTestApp().app)
  for (const path of ['/_control/status', '/w/default/_control/status']) {
    const text = `GET ${origin}${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(readReply(await sendRaw(address, text)).status).toBe(expected)
  }
})

test("on loopback, a request returns 403 if its Origin is not the server's own", async () => {
  const { app } = buildTestApp()
  const host = 'localhost:8080'
  expect(await status(app, { host, origin: 'http://localhost:8080' })).toBe(200)
  for (const origin of ['http://evil.example', 'null', 'https://localhost:8080', 'http://localhost:9']) {
    expect(await status(app, { host, origin })).toBe(403)
  }
})

test.each<[Record<string, string>, reason: string]>([
  [{ host: 'vendor-cloud:8080' }, 'the host vendor-cloud:8080 is not a loopback address'],
  [{ host: 'host.docker.internal' }, 'the host host.docker.internal is not a loopback address'],
  [{ host: 'localhost', origin: 'http://localhost:9' }, 'the request comes from another origin, http://localhost:9'],
  [{ host: 'localhost', via: '1.1 proxy' }, 'the header via shows that a proxy sent the request'],
])('the 403 response for %j contains the reason and mentions CONTROL_KEY', async (headers, reason) => {
  const { message } = (await buildTestApp().app.inject({ url: '/_control/status', headers })).json().error
  expect(message).toContain(`${reason}. Set CONTROL_KEY and send it as x-control-key`)
})

test('on other addresses, a request needs the key in x-control-key or as a bearer token', async () => {
  const app = buildPublicApp(KEY)
  expect(await status(app, { 'x-control-key': KEY })).toBe(200)
  expect(await status(app, { authorization: `Bearer ${KEY}` })).toBe(200)
  for (const headers of [{}, { 'x-control-key': 'wrong' }, { authorization: 'Bearer wrong' }, { authorization: KEY }]) {
    const reply = await app.inject({ url: '/_control/clock', headers: headers as Record<string, string> })
    expect([reply.statusCode, reply.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(reply.json().error.message).toMatch(/CONTROL_KEY.* the server printed at start/)
  }
})

test.each<[Record<string, string>, message: string]>([
  [{}, 'the control API requires a key in x-control-key or Authorization: Bearer. '],
  [{ 'x-control-key': 'wrong' }, 'the key in x-control-key is not the key of this server. '],
  [{ authorization: 'Bearer wrong' }, 'the key in Authorization: Bearer is not the key of this server. '],
])('the 401 response for %j shows whether the key is missing or wrong', async (headers, message) => {
  const { error } = (await buildPublicApp(KEY).inject({ url: '/_control/clock', headers })).json()
  expect(error.message).toContain(message)
})

test('on other addresses, every control API request returns 401 if no key is configured', async () => {
  expect(await status(buildPublicApp(), { 'x-control-key': '' })).toBe(401)
})

const ofProxies = [
  ['Forwarded', 'for=203.0.113.7'],
  ['X-Forwarded-For', '203.0.113.7'],
  ['X-Forwarded-Prefix', '/vendor'],
  ['X-Forwarded', 'for=203.0.113.7'],
  ['X-Real-IP', '203.0.113.7'],
  ['CF-Connecting-IP', '203.0.113.7'],
  ['True-Client-IP', '203.0.113.7'],
  ['X-Client-IP', '203.0.113.7'],
  ['X-Original-Forwarded-For', '203.0.113.7'],
  ['Forwarded-For', '203.0.113.7'],
  ['X_Forwarded_For', '203.0.113.7'],
  ['X-RealIP', '203.0.113.7'],
  ['Fastly-Client-IP', '203.0.113.7'],
  ['Proxy-Client-IP', '203.0.113.7'],
  ['WL-Proxy-Client-IP', '203.0.113.7'],
  ['X-Envoy-External-Address', '203.0.113.7'],
  ['CDN-Loop', 'cloudflare'],
  ['Via', '1.1 proxy'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'Cross-Site'],
] as const

test.each(ofProxies)('on loopback without a key, a request with %s: %s returns 403', async (name, value) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: '/_control/clock', headers: { [name]: value } })
  expect([reply.statusCode, reply.json().error.message]).toEqual([403, expect.stringContaining('Set CONTROL_KEY')])
  expect(await status(app, { 'sec-fetch-site': 'same-origin' })).toBe(200)
})

test('a configured key is required on loopback and allows requests that come through proxies', async () => {
  const { worlds } = buildTestApp()
  const app = buildApp({ worlds, control: { open: true, worlds, jobs: createJobQueue(), version: 'test', key: KEY } })
  onTestFinished(() => app.close())
  expect(await status(app, { host: 'localhost' })).toBe(401)
  for (const [name, value] of ofProxies) {
    expect(await status(app, { host: 'vendor.example', 'x-control-key': KEY, [name]: value })).toBe(200)
  }
})
