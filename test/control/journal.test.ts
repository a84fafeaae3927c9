import { expect, test } from 'vitest'
import { asGuest, asWeb, buildTestApp, START } from '../helpers/build-test-app.ts'

const zip = (zipCode: string) => ({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: asGuest() })
const verify = (payload: object) => ({ method: 'POST', url: '/_control/journal/verify', payload }) as const

test('it holds request, reply, timing and caller, newest first', async () => {
  const { app } = buildTestApp()
  await app.inject(zip('07660'))
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=10001', headers: asWeb('web-alice') })
  const { entries, totalCount } = (await app.inject('/_control/journal')).json()
  expect(totalCount).toBe(2)
  expect(entries[0]).toMatchObject({
    id: 2,
    kind: 'request',
    at: START,
    operation: 30,
    caller: 'web-alice',
    method: 'GET',
    path: '/stg/us/guest/zipCode',
    query: 'zipCode=10001',
    status: 200,
    durationMs: expect.any(Number),
    response: { body: { zipCode: '10001' } },
  })
  expect(entries[1].caller).toBeUndefined()
})

test('a refusal says why: the rule and where it comes from', async () => {
  const { app } = buildTestApp()
  await app.inject(zip('7660'))
  await app.inject({ url: '/stg/us/instore/checkmobile', headers: asGuest() })
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries[1].why).toMatchObject({
    code: 'ConstraintViolationError',
    findings: [{ target: 'query.zipCode', source: 'document 1, operation 30' }],
  })
  expect(entries[0].why).toMatchObject({
    code: 'UnauthorizedError',
    source: expect.stringContaining('document 1, section 4'),
  })
})

test('a refusal has the code that its own document answered with', async () => {
  const { app } = buildTestApp()
  await app.inject('/wallet/cmn/v2.0/device/available')
  const soap = { method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml' } } as const
  const envelope = (body: string) =>
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/">${body}</e:Envelope>`
  const call = '<e:Body><createServiceToken xmlns="http://ws.iap.vendor.com/"/></e:Body>'
  await app.inject({ ...soap, payload: envelope(call) })
  await app.inject({ ...soap, payload: envelope('') })
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries.map((entry: { why: { code: string } }) => entry.why.code)).toEqual(['Client', '10', 'CMN1N1001'])
})

test('it is filtered by operation, method, path and status', async () => {
  const { app } = buildTestApp()
  await app.inject(zip('07660'))
  await app.inject(zip('7660'))
  await app.inject({ method: 'POST', url: '/nowhere' })
  const count = async (query: string) => (await app.inject(`/_control/journal?${query}`)).json().totalCount
  expect(await count('operation=30')).toBe(2)
  expect(await count('status=400')).toBe(1)
  expect(await count('method=post')).toBe(1)
  expect(await count('path=/stg/us/guest/zipCode&status=200')).toBe(1)
  expect((await app.inject('/_control/journal?limit=1')).json().entries).toHaveLength(1)
})

test('it holds no secret', async () => {
  const { app } = buildTestApp()
  const secrets = { authorization: 'Bearer canary-1', cookie: 'vendorus-profId=canary-2', partnercode: 'canary-3' }
  const more = { 'x-control-key': 'canary-5', referer: 'http://localhost/cancel?srid=1&key=canary-9' }
  await app.inject({ url: '/filters/x/activate?key=canary-4', headers: { ...secrets, ...more } })
  await app.inject({
    url: '/stg/us/dealer/stores?accessToken=canary-6',
    headers: { ...asGuest(), 'vendorus-guid': 'canary-7' },
  })
  await app.inject({
    method: 'POST',
    url: '/iap/ws/RTCService',
    headers: { 'content-type': 'text/xml' },
    payload: '<a:x xmlns:a="urn:a"><secret>canary-8</secret></a:x>',
  })
  expect((await app.inject('/_control/journal')).payload).not.toContain('canary')
})

test('an assertion counts what fits, and shows the nearest when nothing does', async () => {
  const { app } = buildTestApp()
  await app.inject(zip('07660'))
  const ask = async (payload: object) => (await app.inject(verify(payload))).json()
  expect(await ask({ match: { operation: 30, status: 200 }, count: 1 })).toMatchObject({ matched: true, count: 1 })
  expect(await ask({ match: { operation: 30 }, atLeast: 2 })).toMatchObject({ matched: false, count: 1 })
  expect(await ask({ match: { operation: 30, status: 503 } })).toMatchObject({
    matched: false,
    count: 0,
    nearest: [{ operation: 30, status: 200 }],
  })
  expect(await ask({ match: { operation: '30', status: 200 } })).toMatchObject({ matched: true })
  expect(await ask({ match: { operation: 99 }, count: 0 })).toMatchObject({ matched: true, nearest: [] })
})

test('an assertion waits for what is still to come', async () => {
  const { app } = buildTestApp()
  const asked = app.inject(verify({ match: { operation: 30 }, atLeast: 2, withinMs: 20_000 }))
  await app.inject(zip('07660'))
  await app.inject(zip('07661'))
  expect((await asked).json()).toMatchObject({ matched: true, count: 2 })
})

test('the world prefix is not part of a path, and worlds have journals of their own', async () => {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'a' } })
  await app.inject({ ...zip('07660'), url: '/w/a/stg/us/guest/zipCode?zipCode=07660' })
  expect((await app.inject('/w/a/_control/journal')).json().entries[0].path).toBe('/stg/us/guest/zipCode')
  expect((await app.inject('/_control/journal')).json().totalCount).toBe(0)
})

test('it keeps the newest 10,000', async () => {
  const { journal } = buildTestApp()
  for (let i = 0; i < 10_050; i++) journal.record((id) => ({ id, kind: 'request', at: START }), 1000)
  const entries = [...journal.entries()]
  expect(entries).toHaveLength(10_000)
  expect([entries[0]?.id, entries.at(-1)?.id]).toEqual([10_050, 51])
})
