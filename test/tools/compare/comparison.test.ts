import { expect, test } from 'vitest'
import { Comparison } from '../../../src/tools/compare/comparison.ts'
import type { ReceivedResponse } from '../../../src/tools/cases/player/request.ts'

const call = { method: 'GET', path: '/stg/us/dealer/tickets', headers: {} }
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): ReceivedResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Compares these pairs of responses. Returns the kind and path of each difference. */
function compare(pairs: [ReceivedResponse, ReceivedResponse][], options = {}): string[] {
  const comparison = new Comparison({ upstream: 'u', ...options })
  for (const [i, [ours, theirs]] of pairs.entries()) comparison.take({ step: i + 1, call, ours, theirs })
  return comparison.report().differences.map(({ kind, place }) => `${kind} ${place}`)
}

const slots = (...times: string[]) => times.map((from) => ({ slotId: `S-${from}`, from, remaining: 3 }))

test.each([
  ['a field that the upstream does not return', { a: 1, b: 2 }, { a: 1 }, ['missing body.b']],
  ['a field that only the upstream returns', { a: 1 }, { a: 1, b: 2 }, ['further body.b']],
  ['a different type', { a: 1 }, { a: '1' }, ['type body.a']],
  ['a different value', { a: 1 }, { a: 2 }, ['value body.a']],
  ['a different order of fields', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ['a different order of entries', { l: [{ n: 1 }, { n: 2 }] }, { l: [{ n: 2 }, { n: 1 }] }, ['order body.l']],
  [
    'a different order of entries and of the lists within them',
    {
      l: [
        { n: 1, m: ['a', 'b'], o: [{ p: [1, 2] }] },
        { n: 2, m: ['c', 'd'] },
      ],
    },
    {
      l: [
        { n: 2, m: ['d', 'c'] },
        { n: 1, m: ['b', 'a'], o: [{ p: [2, 1] }] },
      ],
    },
    ['order body.l', 'order body.l[].m', 'order body.l[].o[].p'],
  ],
  [
    'a different order only of the lists within entries',
    { l: [{ m: ['a', 'b'] }, { m: ['a', 'c'] }] },
    { l: [{ m: ['b', 'a'] }, { m: ['c', 'a'] }] },
    ['order body.l[].m'],
  ],
  [
    'an entry that is missing from the middle',
    { l: slots('08:00', '09:00', '10:00') },
    { l: slots('08:00', '10:00') },
    ['missing body.l[]'],
  ],
  [
    'an entry that is missing while the others have an additional field',
    { l: slots('08:00', '09:00', '10:00') },
    { l: slots('08:00', '10:00').map((each) => ({ ...each, more: 1 })) },
    ['further body.l[].more', 'missing body.l[]'],
  ],
  [
    'a date that is shifted by the same time as another',
    { a: '2026-05-04', b: '2026-05-05' },
    { a: '2026-06-01', b: '2026-06-02' },
    [],
  ],
  [
    'a date that is shifted by years',
    { a: '2026-05-04', b: '2026-05-05' },
    { a: '2026-05-04', b: '2029-05-05' },
    ['value body.b'],
  ],
])('the report for %s contains the expected kinds and paths of differences', (_, ours, theirs, expected) => {
  expect(compare([[json(ours), json(theirs)]])).toEqual(expected)
})

test('an ID matches only the ID that it was paired with at first appearance', () => {
  const [a, b, x, y] = ['1111111111', '2222222222', '8888888888', '9999999999']
  const list = (...srids: string[]) => json({ items: srids.map((srid) => ({ srid })) })
  expect(
    compare([
      [list(a, b), list(x, y)],
      [list(b), list(y)],
    ]),
  ).toEqual([])
  expect(
    compare([
      [list(a), list(x)],
      [list(a), list(y)],
    ]),
  ).toEqual(['value body.items[].srid'])
})

test('a different order of entries is a difference unless only generated IDs differ', () => {
  const [a, b, x, y] = ['1111111111', '2222222222', '8888888888', '9999999999']
  const made = (srid: string) => json({ srid })
  const list = (...items: object[]) => json({ items })
  const before: [ReceivedResponse, ReceivedResponse][] = [
    [made(a), made(x)],
    [made(b), made(y)],
  ]
  const alike: [ReceivedResponse, ReceivedResponse] = [list({ srid: a }, { srid: b }), list({ srid: y }, { srid: x })]
  expect(compare([...before, alike])).toEqual([])
  const told: [ReceivedResponse, ReceivedResponse] = [
    list({ srid: a, n: 1 }, { srid: b, n: 2 }),
    list({ srid: y, n: 2 }, { srid: x, n: 1 }),
  ]
  expect(compare([...before, told])).toEqual(['order body.items'])
  const fixed: [ReceivedResponse, ReceivedResponse] = [list({ srid: a }, { srid: b }), list({ srid: b }, { srid: a })]
  expect(compare([fixed])).toEqual(['order body.items'])
})

test('compare does not report a constant clock difference or one paused clock', () => {
  const at = (createdAt: string) => json({ createdAt })
  expect(
    compare([
      [at('2026-05-04T12:00:00.000Z'), at('2026-05-04T12:01:30.000Z')],
      [at('2026-05-04T12:00:00.000Z'), at('2026-05-04T12:01:30.417Z')],
    ]),
  ).toEqual([])
  expect(
    compare([
      [at('2026-05-04T12:00:00.000Z'), at('2026-07-04T12:00:00.000Z')],
      [at('2026-05-05T12:00:00.000Z'), at('2026-05-05T12:00:00.000Z')],
    ]),
  ).toEqual([])
})

test('a different status hides all other differences of a response', () => {
  const comparison = new Comparison({ upstream: 'u' })
  comparison.take({ step: 1, call, ours: json({ a: 1 }), theirs: json({ b: 2 }, 201, { 'x-a': 'b' }) })
  expect(comparison.report()).toMatchObject({
    calls: 1,
    differences: [
      { operation: '19', route: 'GET /stg/us/dealer/tickets', place: 'status', kind: 'status', ours: 200, theirs: 201 },
    ],
    distance: [{ operation: '19', calls: 1, places: 1, kinds: { status: { count: 1, share: 1 } } }],
  })
})

test('error responses are compared by code, and by message only with the option texts', () => {
  const refusal = (code: string, message: string) =>
    json({ requestId: 'req-1', error: { code, message, details: [] } }, 404)
  const pair: [ReceivedResponse, ReceivedResponse] = [
    refusal('NotFoundError', 'unknown'),
    refusal('NotFoundError', 'gone'),
  ]
  expect(compare([pair])).toEqual([])
  expect(compare([pair], { texts: true })).toEqual(['value body.error.message'])
  expect(compare([[refusal('NotFoundError', 'x'), refusal('Gone', 'x')]])).toEqual(['error body.error.code'])
})

test('an incomplete response is reported as an error, and connection headers are not compared', () => {
  expect(compare([[json({}), {}]])).toEqual(['error reply'])
  expect(compare([[json({}), { ...json({}), cut: true }]])).toEqual(['error reply'])
  const headers = {
    connection: 'close',
    'transfer-encoding': 'chunked',
    date: 'x',
    vary: 'y',
    server: 'z',
    'content-encoding': 'gzip',
  }
  expect(compare([[json({}), json({}, 200, headers)]])).toEqual([])
  expect(compare([[json({}, 200, { 'x-total-count': '2' }), json({})]])).toEqual(['header headers.x-total-count'])
})

test('SOAP responses are compared by element, without regard to prefixes, white space and character escapes', () => {
  const soap = (inner: string, p = 'soap') => ({
    status: 200,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0"?><${p}:Envelope xmlns:${p}="x"><${p}:Body><r>${inner}</r></${p}:Body></${p}:Envelope>`,
  })
  expect(compare([[soap('<a>1</a><b>2</b>'), soap('\n <a>1</a>\n <b><![CDATA[2]]></b>', 's')]])).toEqual([])
  const spelled = ['A &amp; é', '&#65; &#38; &#xe9;', '&#x41;<![CDATA[ & é]]>'].map((text) => soap(`<a>${text}</a>`))
  for (const each of spelled) expect(compare([[spelled[0]!, each]])).toEqual([])
  expect(compare([[soap('<a>&#65;</a>'), soap('<a>&amp;#65;</a>')]])).toEqual(['value body.r.a'])
  expect(compare([[soap('<a>1</a><b>2</b>'), soap('<b>2</b><a>1</a>')]])).toEqual(['order body.r'])
  expect(compare([[soap('<a>1</a><b>2</b>'), soap('<a>01</a>')]])).toEqual(['value body.r.a', 'missing body.r.b'])
})

test('the data of frames is compared like bodies', () => {
  const comparison = new Comparison({ upstream: 'u' })
  const stream = { ...call, path: '/filters/x/activate' }
  const frames = (value: string) => [
    { event: 'DEVICE_EVENT', id: `1-${1795697621771000 + value.length}`, data: { value } },
  ]
  comparison.takeFrames(1, stream, frames('on'), frames('off'))
  comparison.takeFrames(2, stream, frames('on'), [])
  const { differences, streams } = comparison.report()
  expect(differences).toMatchObject([{ operation: 'stream', kind: 'value', place: 'frames[].data.value' }])
  expect(streams).toEqual({ compared: 1, notCompared: 1 })
})

test('the report contains no secret that was configured, sent or returned', () => {
  const comparison = new Comparison({ upstream: 'u', secrets: ['canary-given-0123456789abc'] })
  const headers = { authorization: 'Bearer canary-bearer-0123456789abc', cookie: 'session=canary-cookie-0123456789abc' }
  const body = {
    accessToken: 'canary-issued-0123456789abc',
    echo: 'canary-bearer-0123456789abc',
    n: { key: 'canary-key-0123456789abc' },
    profId: 'canary-identity',
    m: 'canary-given-0123456789abc',
  }
  const theirs = { ...json({ echo: 1, l: ['canary-cookie-0123456789abc canary-issued-0123456789abc'] }) }
  comparison.take({ step: 1, call: { ...call, headers }, ours: json(body), theirs })
  expect(comparison.report().differences.length).toBeGreaterThan(3)
  expect(JSON.stringify(comparison.report())).not.toMatch(/canary/)
})

test('the report contains no secret from a path, field name, header or value', () => {
  const comparison = new Comparison({ upstream: 'u' })
  const ask = (path: string, ours: ReceivedResponse, theirs: ReceivedResponse) =>
    comparison.take({ step: 1, call: { ...call, path }, ours, theirs })
  const link = (token: string) => json({}, 200, { location: `https://a.example/?access_token=canary-${token}` })
  ask('/reset/canary-issued-0123456789abc/confirm', json({}), json({}, 404))
  ask(
    '/login',
    json({}),
    json({
      api_key: 'canary-issued-0123456789abc',
      'canary-issued-0123456789abc': { refreshToken: 'canary-nested-0123456789abc' },
    }),
  )
  ask('/login', json({}), json({ kept: { 'canary-issued-0123456789abc': 1 } }))
  ask('/login', link('one'), link('two'))
  ask(
    '/login',
    json({}),
    json({ seen: 'canary-cookie-0123456789abc' }, 200, { 'set-cookie': 'session=canary-cookie-0123456789abc; Path=/' }),
  )
  const report = comparison.report()
  expect(report.differences.length).toBeGreaterThan(5)
  expect(JSON.stringify(report)).not.toContain('canary')
})

test('the number of differences in the report is limited, however many the upstream returns', () => {
  const comparison = new Comparison({ upstream: 'u' })
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i]))
  comparison.take({ step: 1, call, ours: json({}), theirs: json({ ...many, [`${'x'.repeat(5000)}`]: 1 }) })
  const { differences, unlisted, distance } = comparison.report()
  expect([differences.length, unlisted]).toEqual([2000, 3001])
  expect(distance[0]!.kinds.further!.count).toBe(5001)
})
