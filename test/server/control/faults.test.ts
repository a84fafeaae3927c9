import { connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { asGuest, buildTestApp, listen } from '../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']
const provoke = (app: App, payload: object) => app.inject({ method: 'POST', url: '/_control/faults', payload })
const zip = { url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() }
const available = {
  url: '/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET',
  headers: { partnercode: 'partner-1001' },
}
const token = {
  method: 'POST',
  url: '/iap/ws/RTCService',
  headers: { 'content-type': 'text/xml' },
  payload: `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><w:createServiceToken
    xmlns:w="http://ws.iap.vendor.com/"><secret>123456789012</secret></w:createServiceToken></e:Body></e:Envelope>`,
} as const

test('a status fault applies a limited number of times and returns a JSON error', async () => {
  const { app } = buildTestApp()
  const made = await provoke(app, { match: { operation: 30 }, respond: { status: 503, code: 'Busy' }, times: 2 })
  expect(made.json()).toMatchObject({ faultId: expect.any(String), hits: 0 })
  for (let i = 0; i < 2; i++) {
    const reply = await app.inject(zip)
    expect([reply.statusCode, reply.json().error]).toEqual([
      503,
      expect.objectContaining({ code: 'Busy', details: [] }),
    ])
  }
  expect((await app.inject(zip)).statusCode).toBe(200)
  expect((await app.inject('/_control/faults')).json()).toMatchObject({ items: [{ hits: 2 }], totalCount: 1 })
})

test.each<[name: string, match: object, call: InjectOptions, challenge: string]>([
  ['document 1', { operation: 30 }, zip, 'Identity realm="vendor-cloud"'],
  ['the wallet', { operation: 'checkAvailability' }, available, 'Bearer'],
  ['document 3', { operation: 'createServiceToken' }, token, 'Bearer'],
])(
  'an injected 401 or 407 for %s has the authentication challenge of that API',
  async (_name, match, call, challenge) => {
    const { app } = buildTestApp()
    await provoke(app, { match, respond: { status: 401 }, times: 1 })
    expect((await app.inject(call)).headers['www-authenticate']).toBe(challenge)
    await provoke(app, { match, respond: { status: 407, body: 'who are you?' }, times: 1 })
    expect((await app.inject(call)).headers['proxy-authenticate']).toBe(challenge)
    const headers = { 'www-authenticate': 'Basic' }
    await provoke(app, { match, respond: { status: 401, headers }, times: 1 })
    expect((await app.inject(call)).headers['www-authenticate']).toBe('Basic')
  },
)

test('a fault applies at most as many times as its limit, even to pipelined requests', async () => {
  const { port } = new URL(await listen(buildTestApp().app))
  const base = `http://127.0.0.1:${port}`
  const payload = { match: { operation: 30 }, respond: { status: 503 }, times: 2 }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${base}/_control/faults`, { method: 'POST', headers, body: JSON.stringify(payload) })
  const line = `GET ${zip.url} HTTP/1.1\r\nhost: localhost\r\nrequest-source: vendor.com\r\n`
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  socket.end(`${`${line}\r\n`.repeat(5)}${line}connection: close\r\n\r\n`)
  let replies = ''
  for await (const text of socket) replies += text
  expect(replies.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['503', '503', '200', '200', '200', '200'])
  const listed = await (await fetch(`${base}/_control/faults`)).json()
  expect(listed).toMatchObject({ items: [{ hits: 2 }] })
})

test('an injected error has the documented message, and a header names the fault', async () => {
  const { app } = buildTestApp()
  const respond = { status: 404 }
  await provoke(app, { match: { operation: 25 }, respond, name: 'gone \u2713' })
  const schedule = await app.inject({ url: '/stg/us/guest/schedule', headers: asGuest() })
  expect(schedule.json().error).toEqual({ code: 'NotFoundError', message: 'schedule not found', details: [] })
  expect(schedule.headers['x-vendor-cloud-fault']).toBe('gone ?')
  await provoke(app, { match: { operation: 30 }, respond: { status: 418 } })
  expect((await app.inject(zip)).json().error.message).toBe("i'm a teapot")
  for (const [resultCode, text] of [
    ['CMN1N1001', 'Required parameter is missing: modelName'],
    ['CMN2N2007', 'Invalid country code: countryCode'],
    ['CMN4N8003', 'Database connection failed'],
  ]) {
    await app.inject({ method: 'DELETE', url: '/_control/faults' })
    await provoke(app, { match: { path: '/wallet/*' }, respond: { resultCode } })
    expect((await app.inject(available)).json()).toEqual({ resultCode, resultMessage: text })
  }
})

test('a fault status below 400 becomes the status of a successful response', async () => {
  const { app } = buildTestApp()
  const feedback = { rating: 5, comment: 'quick' }
  const url = '/stg/us/guest/customerFeedback'
  await provoke(app, { match: { operation: 22 }, respond: { status: 201 }, times: 1 })
  const refused = await app.inject({ method: 'POST', url, headers: asGuest(), payload: { rating: 9 } })
  expect(refused.statusCode).toBe(400)
  const created = await app.inject({ method: 'POST', url, headers: asGuest(), payload: feedback })
  expect([created.statusCode, created.json().received]).toEqual([201, true])
  await provoke(app, { match: { operation: 30 }, respond: { status: 204 }, times: 1 })
  const empty = await app.inject(zip)
  expect([empty.statusCode, empty.body, empty.headers['content-type']]).toEqual([204, '', undefined])
  expect((await app.inject(zip)).statusCode).toBe(200)
  const { totalCount } = (await app.inject('/_control/records/feedback?limit=1')).json()
  expect(totalCount).toBe((await buildTestApp().app.inject('/_control/records/feedback?limit=1')).json().totalCount + 1)
  const both = await provoke(app, { match: { operation: 30 }, respond: { status: 201, code: 'Busy' } })
  expect(both.statusCode).toBe(400)
})

test('a fault accepts an operation number written as a string', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { operation: '30' }, respond: { status: 503 } })
  expect((await app.inject(zip)).statusCode).toBe(503)
})

test('an injected status without a code has the same code as a regular error', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { path: '/stg/us/guest/*' }, respond: { status: 404 } })
  expect((await app.inject(zip)).json().error.code).toBe('NotFoundError')
})

test.each([
  ['CMN1N1003', 400],
  ['CMN4N8003', 500],
  ['CMN5N9001', 500],
])('an injected wallet result code is returned with its documented status: %s', async (code, status) => {
  const { app } = buildTestApp()
  await provoke(app, { match: { path: '/wallet/*' }, respond: { resultCode: code } })
  const reply = await app.inject(available)
  expect([reply.statusCode, reply.json().resultCode]).toEqual([status, code])
})

test.each([
  ['/stg/us/*', zip, 'GET, HEAD'],
  ['/stg/us/*', { ...zip, url: `/support-api/stg${zip.url}` }, 'GET, HEAD'],
  ['/wallet/*', available, 'GET, HEAD'],
  ['/iap/*', token, 'GET, HEAD, POST'],
])('an injected 405 for %s has an Allow header with the allowed methods (%#)', async (path, request, allow) => {
  const { app } = buildTestApp()
  await provoke(app, { match: { path }, respond: { status: 405 } })
  const reply = await app.inject(request)
  expect([reply.statusCode, reply.headers['allow']]).toEqual([405, allow])
})

test('a SOAP fault applies only to the named SOAP operation', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { soapOperation: 'getSubscriptionStatus' }, respond: { fault: 15 } })
  expect((await app.inject(token)).statusCode).toBe(200)
  await provoke(app, { match: { soapOperation: 'createServiceToken' }, respond: { fault: 301 } })
  const reply = await app.inject(token)
  expect(reply.statusCode).toBe(500)
  expect(reply.payload).toContain('<errorCode>301</errorCode><errorMessage>EXPIRED_SERVICE_TOKEN</errorMessage>')
})

test.each([
  ['a valid call', token.payload],
  ['a rejected call', token.payload.replace('123456789012', '999')],
])('a fault with when: after returns the SOAP fault of when: before, for %s', async (_, payload) => {
  const ask = async (when: string, respond: object) => {
    const { app } = buildTestApp()
    await provoke(app, { match: { soapOperation: 'createServiceToken' }, respond, when })
    const { statusCode, headers, body } = await app.inject({ ...token, payload })
    return { statusCode, type: headers['content-type'], body }
  }
  for (const respond of [{ status: 503 }, { status: 429, retryAfter: 1 }, { fault: 301 }]) {
    const after = await ask('after', respond)
    expect(after).toEqual(await ask('before', respond))
    expect(after.body).toContain('<soap:Fault>')
  }
})

test('with when set to after, a fault replaces the response of a rejected wallet call', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { path: '/wallet/*' }, respond: { resultCode: 'CMN4N8003' }, when: 'after' })
  const reply = await app.inject({ ...available, url: '/wallet/cmn/v2.0/device/available' })
  expect([reply.statusCode, reply.json().resultCode]).toEqual([500, 'CMN4N8003'])
})

test('a fault can match a SOAP call by the secret of its seller', async () => {
  const { app } = buildTestApp()
  for (const [secret, fault] of [
    ['111111111111', 15],
    ['123456789012', 301],
  ] as const) {
    await provoke(app, { match: { soapOperation: 'createServiceToken', body: { secret } }, respond: { fault } })
  }
  expect((await app.inject(token)).payload).toContain('<errorCode>301</errorCode>')
})

test('a fault that matches by path applies only once to a SOAP call', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { path: '/iap/*' }, delayMs: 0, times: 5 })
  await app.inject(token)
  expect((await app.inject('/_control/faults')).json().items[0].hits).toBe(1)
})

test('a reset fault closes the connection without a response', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  await provoke(app, { match: { operation: 30 }, respond: { reset: true }, times: 1 })
  const get = () => fetch(`${address}${zip.url}`, { headers: zip.headers })
  await expect(get()).rejects.toThrow('fetch failed')
  expect((await get()).status).toBe(200)
})

test('a fault with probability 0 never applies, and a delay does not change the response', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { operation: 30 }, respond: { status: 500 }, probability: 0 })
  await provoke(app, { match: { operation: 30 }, delayMs: 1 })
  expect((await app.inject(zip)).statusCode).toBe(200)
  expect((await app.inject('/_control/faults')).json().items.map(({ hits }: { hits: number }) => hits)).toEqual([0, 1])
})

test('the journal names the source of an injected error', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { path: '*' }, respond: { status: 500 } })
  await app.inject(zip)
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries[0]).toMatchObject({ status: 500, why: { source: 'POST /_control/faults' } })
})

test('faults can be deleted one by one or all at once', async () => {
  const { app } = buildTestApp()
  const { faultId } = (await provoke(app, { match: { operation: 30 }, respond: { status: 500 } })).json()
  expect((await app.inject({ method: 'DELETE', url: `/_control/faults/${faultId}` })).statusCode).toBe(204)
  expect((await app.inject({ method: 'DELETE', url: `/_control/faults/${faultId}` })).statusCode).toBe(404)
  await provoke(app, { match: { operation: 30 }, respond: { status: 500 } })
  expect((await app.inject({ method: 'DELETE', url: '/_control/faults' })).statusCode).toBe(204)
  expect((await app.inject(zip)).statusCode).toBe(200)
})

test.each([
  {},
  { match: {}, respond: { status: 500 } },
  { match: { operation: 30 } },
  { match: { operation: 30 }, respond: { status: 199 } },
  { match: { operation: 30 }, respond: { fault: 7 } },
  { match: { operation: 30 }, respond: { resultCode: 'X' } },
  { match: { operation: 30 }, respond: {} },
])('the fault %j is rejected with 400', async (payload) => {
  expect((await provoke(buildTestApp().app, payload)).statusCode).toBe(400)
})

test('a request that was rejected by a fault is in the journal with its operation', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { operation: 30 }, respond: { status: 503 }, times: 1 })
  await app.inject(zip)
  expect((await app.inject('/_control/journal?operation=30&status=503')).json().totalCount).toBe(1)
})

test('a fault applies between from and until, excluding until, by the world clock', async () => {
  const { app } = buildTestApp()
  const [from, until] = ['2026-03-09T02:00:00.000Z', '2026-03-09T04:00:00.000Z']
  const made = await provoke(app, { match: { path: '/stg/*' }, respond: { status: 503, retryAfter: 60 }, from, until })
  expect(made.json()).toMatchObject({ from, until })
  const askAt = async (now: string) => {
    await app.inject({ method: 'PUT', url: '/_control/clock', payload: { now, frozen: true } })
    return (await app.inject(zip)).statusCode
  }
  expect(await askAt('2026-03-09T01:59:59.999Z')).toBe(200)
  expect(await askAt(from)).toBe(503)
  expect(await askAt('2026-03-09T03:59:59.999Z')).toBe(503)
  expect(await askAt(until)).toBe(200)
})

test('a fault without until does not expire, and until must be later than from', async () => {
  const { app } = buildTestApp()
  const fault = { match: { operation: 30 }, respond: { status: 503 } }
  await provoke(app, { ...fault, from: '2000-01-02T00:00:00Z' })
  expect((await app.inject(zip)).statusCode).toBe(503)
  const refused = await provoke(app, { ...fault, from: '2026-03-09T04:00:00Z', until: '2026-03-09T04:00:00Z' })
  expect([refused.statusCode, refused.json().error.message]).toEqual([
    400,
    expect.stringContaining('body.until must be after from'),
  ])
})

test('a world has at most 1,000 faults in addition to those of its profile', async () => {
  const { app } = buildTestApp()
  const fault = { match: { operation: 8 }, respond: { status: 503 } }
  await app.inject({ method: 'PUT', url: '/_control/profile', payload: { profile: 'mine', faults: [fault] } })
  await Promise.all(Array.from({ length: 998 }, () => provoke(app, fault)))
  const flaky = { method: 'POST', url: '/_control/faults/profiles/flaky' } as const
  const pact = {
    method: 'POST',
    url: '/_control/pact-states',
    payload: { state: 'operation 30 is unavailable' },
  } as const
  // This profile has more than two faults.
  expect((await app.inject(flaky)).statusCode).toBe(409)
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await provoke(app, fault)).statusCode))
  expect(statuses.toSorted()).toEqual([200, 200, 409, 409, 409])
  expect((await app.inject(pact)).statusCode).toBe(409)
  expect((await provoke(app, fault)).json().error).toMatchObject({
    code: 'LimitExceeded',
    message: 'a world can have at most 1000 faults; DELETE /_control/faults deletes all of them',
  })
  expect((await app.inject('/_control/faults')).json()).toMatchObject({ totalCount: 1001 })
  expect((await app.inject(zip)).statusCode).toBe(200)
  await app.inject({ method: 'DELETE', url: '/_control/faults' })
  expect((await app.inject(flaky)).statusCode).toBe(200)
})
