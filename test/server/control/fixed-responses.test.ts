import { expect, test } from 'vitest'
import { asGuest, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']
const provoke = (app: App, payload: object) => app.inject({ method: 'POST', url: '/_control/faults', payload })
const zip = { url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() }
const feedback = (app: App) =>
  app.inject({
    method: 'POST',
    url: '/stg/us/guest/customerFeedback',
    headers: asGuest(),
    payload: { rating: 5, comment: 'good' },
  })
const countFeedback = async (app: App) => (await app.inject('/_control/records/feedback')).json().totalCount as number
const page = '<html><body>Bad Gateway</body></html>'

test.each([200, 302, 401, 502, 503])(
  'a fault with a body and status %i sends that body without running the operation',
  async (status) => {
    const { app } = buildTestApp()
    const before = await countFeedback(app)
    const headers = { 'content-type': 'text/html', location: '/login', 'set-cookie': ['a=1', 'b=2'], 'x-own': 'ü' }
    await provoke(app, { match: { path: '*' }, respond: { status, headers, body: page }, name: 'gateway' })
    const reply = await feedback(app)
    expect([reply.statusCode, reply.payload]).toEqual([status, page])
    expect(reply.headers).toMatchObject({ ...headers, 'x-vendor-cloud-fault': 'gateway' })
    expect(Number(reply.headers['content-length'])).toBe(page.length)
    expect(await countFeedback(app)).toBe(before)
    const [entry] = (await app.inject('/_control/journal')).json().entries
    expect(entry).toMatchObject({ status, faults: ['gateway'] })
  },
)

test('an object in a fault body is sent as JSON, a string as plain text', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { operation: 30 }, respond: { status: 429, retryAfter: 7, body: { b: [1] } }, times: 1 })
  const json = await app.inject(zip)
  expect([json.statusCode, json.payload, json.headers['retry-after']]).toEqual([429, '{"b":[1]}', '7'])
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
  await provoke(app, { match: { operation: 30 }, respond: { status: 200, body: '"quoted"' }, times: 1 })
  const text = await app.inject(zip)
  expect([text.payload, text.headers['content-type']]).toEqual(['"quoted"', 'text/plain; charset=utf-8'])
})

test('empty bodies and null fields of a fault are sent, but empty headers are omitted', async () => {
  const { app } = buildTestApp()
  for (const body of ['', { a: null, b: '', c: { d: [null, ''] } }]) {
    for (const status of [200, 502]) {
      const respond = { status, headers: { 'x-empty': '' }, body }
      const added = await provoke(app, { match: { operation: 30 }, respond, times: 1 })
      expect(added.json().respond).toEqual(respond)
      const reply = await app.inject(zip)
      expect([reply.statusCode, reply.payload, reply.headers['x-empty']]).toEqual([
        status,
        body === '' ? '' : JSON.stringify(body),
        undefined,
      ])
    }
  }
  const faults = [{ match: { operation: 30 }, respond: { status: 302, headers: { location: '/' }, body: '' } }]
  const payload = { name: 'custom', profile: { profile: 'empty', faults } }
  await app.inject({ method: 'POST', url: '/_control/worlds', payload })
  expect(await app.inject({ ...zip, url: `/w/custom${zip.url}` })).toMatchObject({ statusCode: 302, payload: '' })
})

test.each([204, 205, 304])(
  'with a fault status of %i, the operation runs and the response has no body',
  async (status) => {
    const { app } = buildTestApp()
    const before = await countFeedback(app)
    await provoke(app, { match: { path: '/stg/*' }, respond: { status, headers: { etag: '"1"' } } })
    const reply = await feedback(app)
    expect([reply.statusCode, reply.payload, reply.headers['etag']]).toEqual([status, '', '"1"'])
    expect(reply.headers['content-type']).toBeUndefined()
    expect(await countFeedback(app)).toBe(before + 1)
  },
)

test('fault headers without a body are added to the regular or error response', async () => {
  const { app } = buildTestApp()
  const before = await countFeedback(app)
  const headers = { etag: '"1"', 'set-cookie': 'sticky=a' }
  await provoke(app, { match: { path: '*' }, respond: { status: 201, headers }, times: 1 })
  const done = await feedback(app)
  expect([done.statusCode, done.headers]).toMatchObject([201, headers])
  expect(await countFeedback(app)).toBe(before + 1)
  await provoke(app, { match: { operation: 30 }, respond: { status: 503, headers: { 'retry-after': 'soon' } } })
  const failed = await app.inject(zip)
  expect([failed.statusCode, failed.headers['retry-after']]).toEqual([503, 'soon'])
  expect(failed.json()).toHaveProperty('error.code')
})

test('with when set to after, a fault body replaces the response after the operation runs', async () => {
  const { app } = buildTestApp()
  const before = await countFeedback(app)
  await provoke(app, { match: { path: '/stg/*' }, respond: { status: 504, body: page }, when: 'after' })
  expect(await feedback(app)).toMatchObject({ statusCode: 504, payload: page })
  expect(await countFeedback(app)).toBe(before + 1)
})

test('a garbled response has the content type of the API', async () => {
  const { app } = buildTestApp()
  const before = await countFeedback(app)
  await provoke(app, { match: { path: '*' }, respond: { garbage: true } })
  const types = [
    (await feedback(app)).headers['content-type'],
    (await app.inject({ method: 'POST', url: '/iap/ws/RTCService', payload: '<x/>' })).headers['content-type'],
    (await app.inject('/wallet/cmn/v2.0/device/available')).headers['content-type'],
    (await app.inject('/filters/a/activate')).headers['content-type'],
  ]
  expect(types).toEqual([
    'application/json; charset=utf-8',
    'text/xml; charset=utf-8',
    'application/json;charset=UTF-8',
    'text/event-stream',
  ])
  expect(await countFeedback(app)).toBe(before)
})

test.each([
  [{ status: 200, headers: { 'content-length': '3' }, body: 'abc' }, 'body.respond.headers.content-length'],
  [{ status: 503, headers: { 'X-Vendor-Cloud-Fault': 'b' } }, 'body.respond.headers.X-Vendor-Cloud-Fault'],
  [{ status: 200, headers: { 'bad name': 'x' } }, 'body.respond.headers.bad name'],
  [{ status: 200, headers: { 'x-a': 'b\r\nx-c: d' } }, 'body.respond.headers.x-a'],
  [{ status: 204, body: 'x' }, 'body.respond.body'],
  [{ status: 503, code: 'A', body: 'x' }, 'body.respond.code'],
  [{ status: 199, body: 'x' }, 'body.respond.status'],
  [{ status: 200, boddy: 'x' }, 'body.respond'],
])('the fault response %j is rejected with the path of the wrong field', async (respond, target) => {
  const { app } = buildTestApp()
  const reply = await provoke(app, { match: { operation: 30 }, respond })
  expect(reply.statusCode).toBe(400)
  expect(reply.json().error.details.map((detail: { target: string }) => detail.target)).toContain(target)
})

test('the profile gateway replaces about one response in five with an HTML page', async () => {
  const { app } = buildTestApp({ seed: 'gateway' })
  await app.inject({ method: 'POST', url: '/_control/faults/profiles/gateway' })
  const seen: Record<number, number> = {}
  for (let i = 0; i < 500; i++) {
    const reply = await app.inject(zip)
    const isPage = String(reply.headers['content-type']).startsWith('text/html')
    if (isPage) seen[reply.statusCode] = (seen[reply.statusCode] ?? 0) + 1
  }
  expect(Object.keys(seen)).toEqual(['200', '302', '502', '503', '504'])
  const sum = Object.values(seen).reduce((a, b) => a + b, 0)
  expect(sum).toBeGreaterThan(60)
  expect(sum).toBeLessThan(140)
  await app.inject({ method: 'DELETE', url: '/_control/faults' })
  await app.inject({ method: 'POST', url: '/_control/faults/profiles/maintenance' })
  const calls = [
    zip,
    { url: '/stg/us/tickets', headers: asWeb('web-alice') },
    '/wallet/cmn/v2.0/device/available',
    '/subscriptions/x',
  ]
  for (const call of calls) {
    const reply = await app.inject(call as typeof zip)
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '120'])
    expect(reply.payload).toContain('Maintenance')
  }
})
