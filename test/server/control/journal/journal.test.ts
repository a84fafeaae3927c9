import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../../../src/server/ports/journal.ts'
import { asGuest, asWeb, buildTestApp, listen } from '../../../helpers/build-test-app.ts'
import { START } from '../../../helpers/test-ports.ts'
import { idsOf } from '../../../helpers/journal.ts'

const zip = (zipCode: string) => ({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: asGuest() })
const verify = (payload: object) => ({ method: 'POST', url: '/_control/journal/verify', payload }) as const

test('the journal lists each request with its caller, response and duration, newest first', async () => {
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

test('the journal entry of a rejected request contains the violated rule and its source', async () => {
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

test('the journal entry of a rejected request contains the error code of the response', async () => {
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

test('journal entries can be filtered by operation, method, path and status', async () => {
  const { app } = buildTestApp()
  await app.inject(zip('07660'))
  await app.inject(zip('7660'))
  await app.inject({ method: 'POST', url: '/nowhere' })
  const count = async (query: string) => (await app.inject(`/_control/journal?${query}`)).json().totalCount
  expect(await count('operation=30')).toBe(2)
  expect(await count('status=400')).toBe(1)
  expect(await count('status=4xx')).toBe(2)
  expect(await count('status=2XX')).toBe(1)
  expect(await count('status=200-400')).toBe(2)
  expect(await count('method=post')).toBe(1)
  expect(await count('path=/stg/us/guest/zipCode&status=200')).toBe(1)
  expect((await app.inject('/_control/journal?limit=1')).json().entries).toHaveLength(1)
})

test.each(['99', '600', '4xxx', '4x', '400-', '499-400', '4xx-5xx', 'many'])(
  'filtering the journal by status=%s returns 400',
  async (status) => {
    const reply = await buildTestApp().app.inject(`/_control/journal?status=${status}`)
    const message = 'query.status must be a status such as 404, 4xx or 400-499'
    expect([reply.statusCode, reply.json().error.message]).toEqual([400, message])
  },
)

test('a timestamp parameter with an unencoded plus sign in its offset is accepted', async () => {
  const { app } = buildTestApp()
  const statusOf = async (query: string) => (await app.inject(`/_control/journal?since=${query}`)).statusCode
  expect(await statusOf('2026-11-01T10:00:00+01:00')).toBe(200)
  expect(await statusOf('2026-11-01T10:00:00%2B01:00')).toBe(200)
  expect(await statusOf('2026-11-01T10:00:00+0100')).toBe(200)
  expect(await statusOf('2026-11-01+10:00')).toBe(400)
  const diff = '/_control/worlds/default/diff?with=default&at=2026-11-01T10:00:00+01:00'
  expect((await app.inject(diff)).json().error.message).not.toContain('query.at')
})

test('the parameter since selects and counts the journal entries after a world time', async () => {
  const { app } = buildTestApp()
  const count = async (since: string) =>
    (await app.inject(`/_control/journal?since=${since}&limit=1`)).json().totalCount
  await app.inject(zip('07660'))
  await app.inject({ method: 'POST', url: '/_control/clock/advance', payload: { duration: 'PT1H' } })
  await app.inject(zip('07660'))
  await app.inject(zip('1'))
  expect(await count(START)).toBe(3)
  expect(await count('2026-05-06T16:59:00Z')).toBe(2)
  expect(await count('2026-05-06T17:00:01Z')).toBe(0)
})

test('a journal entry contains the request exactly as it was received', async () => {
  const { app } = buildTestApp()
  const headers = { authorization: 'Bearer canary-1', cookie: 'vendorus-profId=canary-2', partnercode: 'canary-3' }
  await app.inject({ url: '/filters/x/activate?key=canary-4', headers })
  const payload = '<a:x xmlns:a="urn:a"><secret><!-- a -->canary-8</secret></a:x>'
  await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml' }, payload })
  expect((await list(app, '')).entries).toMatchObject([
    { request: { body: payload } },
    { query: 'key=canary-4', request: { headers } },
  ])
})

test('a verification counts the matching requests, and returns the closest request if none matches', async () => {
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
  expect(await ask({ match: { operation: 31 }, count: 0 })).toMatchObject({ matched: true, nearest: [] })
})

test('a verification waits until enough requests match', async () => {
  const { app } = buildTestApp()
  const asked = app.inject(verify({ match: { operation: 30 }, atLeast: 2, withinMs: 20_000 }))
  await app.inject(zip('07660'))
  await app.inject(zip('07661'))
  expect((await asked).json()).toMatchObject({ matched: true, count: 2 })
})

test('the journal lists paths without the world prefix, and each world has its own journal', async () => {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'a' } })
  await app.inject({ ...zip('07660'), url: '/w/a/stg/us/guest/zipCode?zipCode=07660' })
  expect((await app.inject('/w/a/_control/journal')).json().entries[0].path).toBe('/stg/us/guest/zipCode')
  expect((await app.inject('/_control/journal')).json().totalCount).toBe(0)
})

const list = async (app: ReturnType<typeof buildTestApp>['app'], query: string) =>
  (await app.inject(`/_control/journal?${query}`)).json()

test('search and filters cover the whole journal, and paging reaches its oldest entry', async () => {
  const { app } = buildTestApp()
  await app.inject({ url: '/stg/us/instore/checkmobile', headers: asWeb('web-alice') })
  for (let i = 0; i < 250; i++) await app.inject(zip('10001'))
  expect(await list(app, 'refused=true&caller=web-alice')).toMatchObject({ totalCount: 0 })
  expect(await list(app, 'caller=web-alice')).toMatchObject({ totalCount: 1, entries: [{ id: 1 }] })
  expect(await list(app, 'q=get%20/stg/us/instore/CHECKmobile')).toMatchObject({ totalCount: 1, entries: [{ id: 1 }] })
  expect(await list(app, 'q=new%20york%20city&limit=1')).toMatchObject({ totalCount: 0 })
  expect(await list(app, 'q=zipCode%3D10001')).toMatchObject({ totalCount: 250 })
  expect(await list(app, 'path=/stg/us/instore/*&q=200')).toMatchObject({ totalCount: 1 })
  const ids: number[] = []
  for (let before = ''; ; before = `&before=${ids.at(-1)}`) {
    const { entries, totalCount } = await list(app, `limit=100${before}`)
    expect(totalCount).toBe(251)
    if (entries.length === 0) break
    ids.push(...entries.map(({ id }: { id: number }) => id))
  }
  expect(ids).toEqual(Array.from({ length: 251 }, (_, i) => 251 - i))
  expect((await list(app, 'limit=2&offset=249')).entries.map(({ id }: { id: number }) => id)).toEqual([2, 1])
})

test('a journal entry can be read by its ID, and an unknown ID returns 404', async () => {
  const { app } = buildTestApp()
  await app.inject(zip('10001'))
  expect((await app.inject('/_control/journal/1')).json()).toMatchObject({ id: 1, query: 'zipCode=10001' })
  expect((await app.inject('/_control/journal/2')).statusCode).toBe(404)
})

test.each([
  ['/_control/journal?staus=400&ofset=5', 'status'],
  ['/_control/faults?limits=3', 'has no parameter limits'],
])('a control API request with an unknown parameter returns 400 and suggests a parameter: %s', async (url, words) => {
  const reply = await buildTestApp().app.inject(url)
  expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringContaining(words)])
})

test.each([
  { target: 'query.operation', request: '/_control/journal?operation=createSubscripton' },
  { target: 'query.operation', request: '/_control/journal?format=har&operation=createSubscripton' },
  { target: 'body.match.operation', request: verify({ match: { operation: 'createSubscripton' }, count: 0 }) },
])(
  'a journal request for an unknown operation returns 400 with an error at $target (%#)',
  async ({ target, request }) => {
    const reply = await buildTestApp().app.inject(request)
    const message = expect.stringContaining('is not an operation; the nearest is createSubscription')
    expect([reply.statusCode, reply.json().error.details]).toMatchObject([400, [{ target, message }]])
  },
)

test.each([
  ['/support-api/stg/stg/us/guest/zipCode', '; the nearest is /stg/us/guest/zipCode'],
  ['/w/two/stg/us/guest/zipCode', '; the nearest is /stg/us/guest/zipCode'],
  ['/stg/us/guest/zipcode', '; the nearest is /stg/us/guest/zipCode'],
  ['/w/two/walet/*', '; the nearest is /wallet/*'],
])('a verification with the unknown path %s returns 400 and suggests a path', async (path, hint) => {
  const reply = await buildTestApp().app.inject(verify({ match: { path }, count: 0 }))
  const message = expect.stringContaining(`is not a path of the documents${hint}`)
  expect([reply.statusCode, reply.json().error.details]).toMatchObject([400, [{ target: 'body.match.path', message }]])
})

test('a verification with an unknown match field returns 400 and suggests a field', async () => {
  const reply = await buildTestApp().app.inject(verify({ match: { staus: 200 } }))
  expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringContaining('nearest is status')])
})

test('a verification matches the query, headers, body and local names of SOAP elements', async () => {
  const { app } = buildTestApp()
  await app.inject(zip('07660'))
  await app.inject({
    method: 'POST',
    url: '/stg/us/customerFeedback',
    headers: asWeb('web-alice'),
    payload: { rating: 5, comment: 'good', nested: { list: [{ a: 1 }, { b: 2, c: 3 }] } },
  })
  const soap = '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>'
  const ours = 'xmlns:w="http://ws.iap.vendor.com/"'
  const call = `<w:getSubscriptionStatus ${ours}><purchaseID>p-1</purchaseID></w:getSubscriptionStatus>`
  const headers = { 'content-type': 'text/xml' }
  const payload = `${soap}${call}</e:Body></e:Envelope>`
  await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers, payload })
  const count = async (match: object) => (await app.inject(verify({ match }))).json().count
  expect(await count({ query: { zipCode: '07660' } })).toBe(1)
  expect(await count({ query: { zipCode: '0766' } })).toBe(0)
  expect(await count({ header: { 'Request-Source': 'vendor' } })).toBe(2)
  expect(await count({ body: { rating: 5 } })).toBe(1)
  expect(await count({ body: { nested: { list: [{ b: 2 }] } } })).toBe(1)
  expect(await count({ body: { nested: { list: [{ b: 3 }] } } })).toBe(0)
  expect(await count({ body: { purchaseID: 'p-1' }, operation: 'getSubscriptionStatus' })).toBe(1)
  expect(await count({ body: { getSubscriptionStatus: { purchaseID: 'p-1' } } })).toBe(1)
  expect(await count({ caller: 'web-alice', code: 'ConstraintViolationError' })).toBe(0)
})

test('a verification without matches returns three of the closest requests and their differences', async () => {
  const { app } = buildTestApp()
  for (let i = 0; i < 5; i++) await app.inject(zip('07660'))
  const { matched, nearest } = (await app.inject(verify({ match: { operation: 31 } }))).json()
  expect([matched, nearest.length]).toEqual([false, 3])
  expect(nearest[0]).toMatchObject({ operation: 30, differs: [{ name: 'operation', expected: 31, actual: 30 }] })
})

test('a difference of a verification names the field and contains both values', async () => {
  const { app } = buildTestApp()
  const payload = { rating: 5, nested: { a: 1 } }
  await app.inject({ method: 'POST', url: '/stg/us/customerFeedback?x=1', headers: asWeb('web-alice'), payload })
  const match = {
    status: 503,
    query: { x: '2', y: '1' },
    header: { 'Request-Source': 'splus' },
    body: { rating: 5, nested: { a: 2 }, length: 1 },
  }
  const { nearest } = (await app.inject(verify({ match }))).json()
  expect(nearest[0].differs).toEqual([
    { name: 'query.x', expected: '2', actual: '1' },
    { name: 'query.y', expected: '1' },
    { name: 'header.Request-Source', expected: 'splus', actual: 'vendor.com' },
    { name: 'body.nested', expected: { a: 2 }, actual: { a: 1 } },
    { name: 'body.length', expected: 1 },
    { name: 'status', expected: 503, actual: 400 },
  ])
})

test('the HAR 1.2 archive contains all matching entries, oldest first', async () => {
  const { app } = buildTestApp()
  for (let i = 0; i < 30; i++) await app.inject(zip('07660'))
  await app.inject(zip('7660'))
  const { log } = await list(app, 'format=har')
  expect([log.version, log.creator.name, log.entries.length]).toEqual(['1.2', 'vendor-cloud', 31])
  expect(log.entries[0]).toMatchObject({
    startedDateTime: START,
    request: {
      method: 'GET',
      url: expect.stringMatching(/^http:.*zipCode=07660$/),
      queryString: [{ name: 'zipCode', value: '07660' }],
    },
    response: { status: 200, statusText: 'OK', content: { mimeType: expect.stringContaining('json') } },
    timings: { send: 0, receive: 0 },
  })
  expect((await list(app, 'format=har&status=400')).log.entries).toHaveLength(1)
})

test("requests to the server's own pages and the control API are not in the journal", async () => {
  const { app } = buildTestApp()
  for (const url of ['/favicon.ico', '/', '/docs', '/health/live', '/_control/status']) await app.inject(url)
  expect(await list(app, '')).toEqual({ entries: [], totalCount: 0 })
})

test('the server responds to health checks while it searches and verifies 10,000 long journal entries', async () => {
  const { app, journal } = buildTestApp()
  const text = 'x'.repeat(3000)
  const read: JournalRecord['read'] = (id) => ({
    id,
    kind: 'request',
    at: START,
    request: { headers: {}, body: Array.from({ length: 20 }, () => ({ text })) },
  })
  for (let i = 0; i < 10_000; i++) journal.record({ kind: 'request', at: 0, weight: 6000, read })
  let answers = 0
  const over = new AbortController()
  const watch = async () => {
    while (!over.signal.aborted) {
      await app.inject('/health/live')
      answers++
      await setImmediate()
    }
  }
  const watching = watch()
  const [found, verdict] = await Promise.all([
    list(app, 'q=nothing-of-the-kind'),
    app.inject(verify({ match: { body: { a: 1 } } })),
  ])
  over.abort()
  await watching
  expect([found.totalCount, verdict.json().matched]).toEqual([0, false])
  // The search runs in batches of 5 ms, but takes hundreds of milliseconds in total.
  expect(answers).toBeGreaterThan(20)
})

test('the journal stores the newest 10,000 entries', async () => {
  const { journal } = buildTestApp()
  const toEntry: JournalRecord['read'] = (id) => ({ id, kind: 'request', at: START })
  const record: JournalRecord = { kind: 'request', at: 0, weight: 1000, read: toEntry }
  for (let i = 0; i < 10_050; i++) journal.record(record)
  const ids = await idsOf(journal)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_000, 10_050, 51])
})

test('a delayed request keeps its position in the journal when later requests arrive', async () => {
  const { app } = buildTestApp()
  const server = await listen(app)
  const fault = { match: { operation: 30 }, delayMs: 60_000, times: 1 }
  await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })
  const left = new AbortController()
  const { url, headers } = zip('07660')
  const held = fetch(server + url, { headers, signal: left.signal }).catch(() => 'left')
  const read = async () => (await app.inject('/_control/journal')).json().entries
  await expect.poll(read).toMatchObject([{ id: 1, operation: 30, query: 'zipCode=07660', request: {} }])
  const [{ status, response }] = await read()
  expect([status, response]).toEqual([undefined, undefined])
  await app.inject(zip('10001'))
  left.abort()
  expect(await held).toBe('left')
  expect((await read()).map(({ id }: { id: number }) => id)).toEqual([2, 1])
})

test('a delayed request counts once, after its response is sent', async () => {
  const { app } = buildTestApp()
  const delay = { match: { operation: 30 }, delayMs: 300, times: 1 }
  await app.inject({ method: 'POST', url: '/_control/faults', payload: delay })
  const held = app.inject(zip('07660'))
  const awaited = { match: { operation: 30 }, atLeast: 2, withinMs: 30_000 }
  const verdict = app.inject(verify(awaited))
  await expect.poll(async () => (await app.inject('/_control/journal')).json().totalCount).toBe(1)
  const early = (await app.inject(verify({ match: { operation: 30 } }))).json()
  await app.inject('/_control/coverage')
  await held
  await app.inject(zip('10001'))
  const { matched, count, entries } = (await verdict).json()
  expect([early.count, matched, count]).toEqual([0, true, 2])
  expect(entries.map(({ id, status }: { id: number; status: number }) => [id, status])).toEqual([
    [2, 200],
    [1, 200],
  ])
  const { parts } = (await app.inject('/_control/coverage')).json()
  const seen = parts.flatMap((part: { seen: string[] }) => part.seen)
  expect(seen.filter((what: string) => what.endsWith(': 200') && what !== 'journal').length).toBe(1)
})

test('a verification stops reading entries when its client disconnects', async () => {
  const { app, journal } = buildTestApp()
  const url = await listen(app)
  let leave = () => {}
  app.server.prependOnceListener('request', ({ socket }) => (leave = () => socket.destroy()))
  let judged = 0
  const read: JournalRecord['read'] = (id) => {
    if (++judged === 3) leave()
    const until = performance.now() + 1
    while (performance.now() < until);
    return { id, kind: 'request', at: START }
  }
  for (let i = 0; i < 500; i++) journal.record({ kind: 'request', at: Date.parse(START), weight: 1, read })
  const body = JSON.stringify({ match: { body: { a: 1 } } })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  await expect(fetch(`${url}/_control/journal/verify`, init)).rejects.toThrow('fetch failed')
  expect(judged).toBeLessThan(50)
})
