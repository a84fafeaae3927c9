import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { Unavailable } from '../../../src/server/ports/failures.ts'
import { expect, onTestFinished, test } from 'vitest'
import { type AppOptions, buildApp } from '../../../src/server/app.ts'
import { readConfig } from '../../../src/server/config.ts'
import { asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

function buildLimitedApp(options: Omit<AppOptions, 'worlds'>) {
  const { worlds, clock, store } = buildTestApp()
  const control = { open: true, worlds, jobs: createJobQueue(), version: 'test' }
  const app = buildApp({
    worlds,
    control,
    ...options,
  })
  onTestFinished(() => app.close())
  return { app, clock, store }
}

const zip = (headers: Record<string, string>) => ({ url: '/stg/us/guest/zipCode?zipCode=07660', headers })

test('CORS allows only listed origins to call the APIs, but never the control API', async () => {
  const { app } = buildLimitedApp({ corsOrigins: ['https://app.example'] })
  const ask = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'request-source,content-type',
  }
  const preflight = (origin: string, url: string) => app.inject({ method: 'OPTIONS', url, headers: { origin, ...ask } })
  const allowed = await preflight('https://app.example', '/stg/us/customerFeedback')
  expect([allowed.statusCode, allowed.headers['access-control-allow-origin']]).toEqual([204, 'https://app.example'])
  expect(allowed.headers['access-control-allow-headers']).toBe('request-source,content-type')
  const reply = await app.inject(zip({ ...asWeb('web-alice'), origin: 'https://app.example' }))
  expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([200, 'https://app.example'])
  const refused = [
    await preflight('https://evil.example', '/stg/us/customerFeedback'),
    await preflight('https://app.example', '/_control/reset'),
  ]
  for (const { headers } of refused) expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test.each(['/subscriptions', '/iap/ws/RTCService'])(
  'the preflight of another origin to %s names the setting',
  async (url) => {
    const { app } = buildLimitedApp({ corsOrigins: ['loopback'] })
    const headers = { origin: 'null', 'access-control-request-method': 'POST' }
    const preflight = await app.inject({ method: 'OPTIONS', url, headers })
    const message = 'origin null is not in CORS_ORIGINS. Add it, for example CORS_ORIGINS=loopback,null'
    expect([preflight.statusCode, preflight.headers['allow']]).toEqual([405, expect.stringContaining('POST')])
    expect(preflight.body).toContain(message)
    const { entries } = (await app.inject('/_control/journal?limit=1')).json()
    expect(entries[0].why).toMatchObject({ message, source: 'our choice: cors-origins' })
    expect((await app.inject({ method: 'OPTIONS', url })).body).not.toContain('CORS_ORIGINS')
  },
)

test.each([
  ['an injected error', '/stg/us/guest/zipCode?zipCode=07660', 503],
  ['an unknown world', '/w/nope/stg/us/guest/zipCode?zipCode=07660', 404],
  ['an unknown path', '/stg/us/nope', 404],
  ['an address that cannot be decoded', '/stg/%ff', 400],
])('pages of an allowed origin can read the response to %s', async (_what, url, status) => {
  const { app } = buildLimitedApp({ corsOrigins: ['https://app.example'] })
  const payload = { match: { path: '*' }, respond: { status: 503 } }
  if (status === 503) await app.inject({ method: 'POST', url: '/_control/faults', payload })
  const origin = 'https://app.example'
  const ask = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'request-source' }
  const preflight = await app.inject({ method: 'OPTIONS', url, headers: ask })
  expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, origin])
  const reply = await app.inject({ url, headers: { ...asWeb('web-alice'), origin } })
  expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([status, origin])
})

test('a fault removes a response header by setting it to an empty string', async () => {
  const { app } = buildLimitedApp({ corsOrigins: ['https://app.example'] })
  const call = zip({ ...asWeb('web-alice'), origin: 'https://app.example' })
  const name = 'access-control-allow-origin'
  for (const respond of [{ status: 503 }, { status: 200 }, { status: 502, body: 'Bad Gateway' }]) {
    const payload = { match: { operation: 30 }, respond: { ...respond, headers: { [name]: '' } }, times: 1 }
    await app.inject({ method: 'POST', url: '/_control/faults', payload })
    const reply = await app.inject(call)
    expect([reply.statusCode, reply.headers[name]]).toEqual([respond.status, undefined])
  }
  expect((await app.inject(call)).headers[name]).toBe('https://app.example')
})

test.each([
  { origin: 'http://localhost:5173', leave: 'http://localhost:5173' },
  { origin: 'http://127.0.0.1:3000', leave: 'http://127.0.0.1:3000' },
  { origin: 'http://app.localhost:3000', leave: 'http://app.localhost:3000' },
  { origin: 'https://app.example', leave: undefined },
  { origin: 'http://notlocalhost', leave: undefined },
  { origin: 'http://localhost.evil.example', leave: undefined },
])('by default, only pages on this machine may call the APIs: $origin', async ({ origin, leave }) => {
  const { app } = buildLimitedApp({ corsOrigins: readConfig({}).CORS_ORIGINS })
  expect(readConfig({ CORS_ORIGINS: 'None' }).CORS_ORIGINS).toEqual([])
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-world,vendor-us-prof-id,request-source',
  }
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/stg/us/customerFeedback',
    headers: { origin, ...asked },
  })
  expect(preflight.headers['access-control-allow-origin']).toBe(leave)
  if (leave) expect(preflight.headers['access-control-allow-headers']).toContain('x-world')
  const control = await app.inject({ method: 'POST', url: '/_control/reset', headers: { origin } })
  expect([control.statusCode, control.headers['access-control-allow-origin']]).toEqual([403, undefined])
})

test('with CORS_ORIGINS=null, only pages without an origin may call the APIs, such as local files', async () => {
  const { app } = buildLimitedApp({ corsOrigins: readConfig({ CORS_ORIGINS: 'null' }).CORS_ORIGINS })
  const leaveOf = async (origin: string) =>
    (await app.inject(zip({ ...asWeb('web-alice'), origin }))).headers['access-control-allow-origin']
  expect([await leaveOf('null'), await leaveOf('http://localhost:5173')]).toEqual(['null', undefined])
})

test.each([
  [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS=*: must be loopback, none, null or origins such as'],
  [{ CORS_ORIGINS: 'http://*.localhost:3000' }, 'must be loopback, none, null or origins such as'],
  [{ CORS_ORIGINS: 'http://a:99999' }, 'must be loopback, none, null or origins such as'],
  [{ TRUST_PROXY: '10.0.0.0/99' }, 'TRUST_PROXY=10.0.0.0/99: must be true, false or addresses such as'],
  [{ PORT: ' ' }, 'PORT= : must be a port from 0 to 65535'],
  [{ PUBLIC_URL: 'https://shop.example/?a=1' }, 'must be an address that contains neither ? nor #'],
  [{ HEARTBEAT_SECONDS: '2592000' }, 'HEARTBEAT_SECONDS=2592000: must be at most 86400 seconds'],
  [{ CONTROL: 'maybe' }, 'CONTROL=maybe: must be one of on, open, off'],
  [{ BILLING_NAMESPACE: ' ' }, 'BILLING_NAMESPACE= : must be an XML namespace such as http://ws.example/'],
  [{ BILLING_NAMESPACE: 'urn:a\u0007' }, 'without white space'],
  [{ BILLING_NAMESPACE: 'http://www.w3.org/2000/xmlns/' }, 'must be an XML namespace'],
  [{ CONTROL_KEY: 'secret' }, 'CONTROL_KEY: must have at least 16 characters'],
  [{ CONTROL_KEY: 'ключ'.repeat(4) }, 'CONTROL_KEY: must contain only printable ASCII characters without spaces'],
  [{ TLS_KEY: '-----BEGIN PRIVATE KEY-----\nsecret', TLS_CERT: 'c' }, /^TLS_KEY: must be the path of a PEM file$/],
  [{ TLS_CERT: '-----BEGIN CERTIFICATE-----secret', TLS_KEY: 'k' }, /^TLS_CERT: must be the path of a PEM file$/],
  [{ PUBLIC_URL: 'ftp://me:secret@host' }, /^PUBLIC_URL: must be an address such as/],
  [{ DATABASE_URL: 'mysql://me:secret@host' }, 'DATABASE_URL: must begin with postgres://'],
  [{ DATABASE_URL: 'postgres://me:sec#ret@host/db' }, /^DATABASE_URL: must be an address such as [^#]* \(write # and/],
  [{ DATABASE_URL: 'postgres://me:secret@host:65536' }, /^DATABASE_URL: must be an address such as postgres:/],
])('the setting %j is rejected with a reason, and the message contains no secret', (given, reason) => {
  expect(() => readConfig(given)).toThrow(reason)
  expect(() =>
    readConfig({ CORS_ORIGINS: 'https://shop.example/', TRUST_PROXY: '10.0.0.0/8, ::1', BILLING_NAMESPACE: 'urn:ä&b' }),
  ).not.toThrow()
})

test.each([
  ['https://x.example:443', 'https://x.example'],
  ['HTTP://X.example:80/', 'http://x.example'],
  ['https://münchen.example:8443', 'https://xn--mnchen-3ya.example:8443'],
  ['http://[0:0:0:0:0:0:0:1]:3000', 'http://[::1]:3000'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['loopback', 'loopback'],
  ['null', 'null'],
])('CORS_ORIGINS=%s is normalized to the form that browsers send: %s', (given, origin) => {
  expect(readConfig({ CORS_ORIGINS: given }).CORS_ORIGINS).toEqual([origin])
})

test('a configuration error names the flag or environment variable of the value', () => {
  const flags = { PORT: '--port', LOG_LEVEL: '--log-level' }
  expect(() => readConfig({ LOG_LEVEL: 'x', PORT: '1' }, { PORT: '99999' }, flags)).toThrow(
    /^--port 99999: must be a port from 0 to 65535\nLOG_LEVEL=x: must be one of/,
  )
})

test('without CORS_ORIGINS, pages from other origins are not allowed', async () => {
  const { app } = buildLimitedApp({})
  const reply = await app.inject(zip({ ...asWeb('web-alice'), origin: 'https://app.example' }))
  expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
})

test('after one request, /metrics has only numeric values, and has request durations as a histogram', async () => {
  const { app } = buildLimitedApp({})
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asWeb('web-alice') })
  const { payload } = await app.inject('/metrics')
  const values = payload.split('\n').flatMap((line) => (line && !line.startsWith('#') ? line.split(' ').at(-1)! : []))
  expect(values.filter((value) => !(Number(value) >= 0 && Number(value) < 1e15))).toEqual([])
  expect(payload).toContain('# TYPE vendor_cloud_request_duration_seconds histogram\n')
  expect(payload).toContain(
    'vendor_cloud_request_duration_seconds_bucket{operation="30",route="/stg/us/guest/zipCode",status="200",le="0.001"} 1\n',
  )
  expect(payload).toContain(
    'vendor_cloud_request_duration_seconds_bucket{operation="30",route="/stg/us/guest/zipCode",status="200",le="+Inf"} 1\n',
  )
  expect(payload).toContain(
    'vendor_cloud_request_duration_seconds_count{operation="30",route="/stg/us/guest/zipCode",status="200"} 1\n',
  )
  expect(payload).toContain('vendor_cloud_store_up 1\n')
})

test('scrapes in quick succession contain only numeric values', async () => {
  const { app } = buildLimitedApp({})
  const scrapes = await Promise.all([1, 2, 3].map(() => app.inject('/metrics')))
  for (const { payload } of scrapes) expect(payload).not.toMatch(/ NaN?$/im)
})

test('/metrics reports when the store is not available', async () => {
  const { app, store } = buildLimitedApp({})
  store.ping = () => Promise.reject(new Unavailable('the database is gone'))
  expect((await app.inject('/metrics')).payload).toContain('vendor_cloud_store_up 0\n')
})

test('/metrics counts requests by operation and status', async () => {
  const { app } = buildLimitedApp({})
  for (const status of [200, 404]) {
    const zipCode = status === 200 ? '07660' : '00000'
    await app.inject({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: asWeb('web-alice') })
  }
  const { payload, headers } = await app.inject('/metrics')
  expect(headers['content-type']).toContain('text/plain')
  expect(payload).toContain('vendor_cloud_requests_total{operation="30",status="200"} 1\n')
  expect(payload).toContain('vendor_cloud_requests_total{operation="30",status="404"} 1\n')
  expect(payload).toContain('process_resident_memory_bytes')
})
