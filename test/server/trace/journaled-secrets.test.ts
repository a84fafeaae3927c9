import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'

const CANARY = 'canary9word'
const PLAIN = 'canaryword'
const NUMBER = 71829364
const KEPT = 'a note beside it'

const feedback = (payload: string | object, headers: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url: '/stg/us/guest/customerFeedback',
  headers: { 'request-source': 'vendor.com', 'content-type': 'application/json', ...headers },
  payload,
})
const field = (fields: object) => feedback({ rating: 5, reason: KEPT, ...fields })
const text = (comment: string) => feedback({ rating: 5, comment: `${comment} ${KEPT}` })
const soap = (child: string): InjectOptions => ({
  method: 'POST',
  url: '/iap/ws/RTCService',
  headers: { 'content-type': 'text/xml' },
  payload:
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="http://ws.iap.vendor.com/"><e:Body>` +
    `<w:getSubscriptionStatus><purchaseID>${KEPT}</purchaseID>${child}</w:getSubscriptionStatus></e:Body></e:Envelope>`,
})
const get = (url: string, headers: Record<string, string> = {}): InjectOptions => ({
  url,
  headers: { 'request-source': 'vendor.com', 'x-note': KEPT, ...headers },
})
const zip = '/stg/us/guest/zipCode'
const quoted = JSON.stringify({ password: CANARY })

const places: Record<string, InjectOptions> = {
  'a number': field({ pin: NUMBER }),
  'a short number': field({ cvc: NUMBER % 1000, password: NUMBER }),
  'an object': field({ auth: { value: CANARY, other: [PLAIN], more: NUMBER } }),
  'a list': field({ passwords: [CANARY, PLAIN], credentials: [{ a: NUMBER }] }),
  'a name and a value': field({ headers: [{ name: 'Authorization', value: `Bearer ${PLAIN}` }] }),
  'a key and a value': field({ settings: [{ value: NUMBER, key: 'password' }] }),
  'JSON in a text': field({ payload: quoted }),
  'JSON in JSON in a text': field({ payload: JSON.stringify({ quoted }) }),
  'a form in a text': field({ payload: `password=${PLAIN}&a=b`, other: `a=b&client_secret=${PLAIN}` }),
  'XML in a text': field({ payload: `<a><password>${PLAIN}</password></a>` }),
  'a sentence': text(`I sign in with password=${PLAIN} since May.`),
  'a command': text(`curl -H "Authorization: Bearer ${CANARY}"`),
  'the user of an address': text(`see https://ann:${PLAIN}@example.com/ please`),
  'a path': get(`${zip};password=${PLAIN};a=b`),
  'a path of nobody': get(`/nowhere;password=${PLAIN}/x`),
  'JSON in a query': get(`${zip}?zipCode=07660&filter=${encodeURIComponent(quoted)}`),
  'brackets in a query': get(`${zip}?zipCode=07660&auth[value]=${PLAIN}&auth%5Bother%5D=${CANARY}`),
  'JSON in a header': get(zip, { 'x-meta': quoted }),
  'a parameter of a header': get(zip, { 'x-meta': `a=b; password=${PLAIN}` }),
  'an element within': soap(`<auth><value>${PLAIN}</value></auth>`),
  'JSON in an element': soap(`<x>${quoted}</x>`),
  'an address in an element': soap(`<x>https://a.example/?password=${PLAIN}</x>`),
  'XML in an element': soap(`<x>&lt;password&gt;${PLAIN}&lt;/password&gt;</x>`),
  'JSON in an attribute': soap(`<x note='${quoted}'/>`),
  'JSON that ends in a text': feedback(`{"reason":"${KEPT}","password":"${PLAIN}`),
  'JSON without quotes': feedback(`{"reason":"${KEPT}","password":${PLAIN}}`),
  'JSON with another quote': feedback(`{"reason":"${KEPT}","password":"x" ${PLAIN}}`),
}

test.each(Object.entries(places))(
  'the journal and its archive show nothing of a secret that a name tells of, and all that stands beside it: %s',
  async (_, request) => {
    const { app } = buildTestApp()
    await app.inject(request)
    const { payload } = await app.inject('/_control/journal')
    expect(payload).toContain('[redacted]')
    expect(payload).toContain(KEPT)
    const archive = await app.inject('/_control/journal?format=har')
    for (const secret of [CANARY, PLAIN, String(NUMBER)]) expect(payload).not.toContain(secret)
    expect(archive.payload).not.toContain(CANARY)
    // A parser quotes ten letters around the one that it refuses.
    expect(payload).not.toContain(PLAIN.slice(0, 5))
  },
)

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

test.each<[string, InjectOptions]>([
  ['a login', feedback({ rating: 5, comment: `${KEPT} ${CANARY}` }, { authorization: basic('ann', CANARY) })],
  ['a bearer', get(`/nowhere/${CANARY}`, { authorization: `Bearer ${CANARY}`, 'x-other': `a ${CANARY}` })],
  ['a cookie', feedback({ rating: 5, comment: `${KEPT} ${CANARY}` }, { cookie: `theme=dark; sid=${CANARY}` })],
  ['a field', feedback({ rating: 5, comment: `${KEPT} ${CANARY}`, password: CANARY })],
  ['a query', get(`${zip}?zipCode=${CANARY}&token=${CANARY}`)],
  ['an element', soap(`<itemID>${CANARY}</itemID><password>${CANARY}</password>`)],
  [
    'many fields',
    field({ list: Array.from({ length: 20 }, (_, i) => ({ secret: `${CANARY}-${i}`, x: `${CANARY}-${i}` })) }),
  ],
])('the journal shows a secret that one place names in none of the others: %s', async (_, request) => {
  const { app } = buildTestApp()
  await app.inject(request)
  const { payload } = await app.inject('/_control/journal')
  expect(payload).toContain(KEPT)
  expect(payload).not.toContain(CANARY)
})

test('a cookie of any name, a plain word and who calls may stand elsewhere, and are shown there', async () => {
  const { app } = buildTestApp()
  const headers = {
    cookie: 'page=chapter-12',
    'x-api-key': 'screens',
    'request-source': 'splus',
    'vendorus-guid': 'me-and-12',
  }
  await app.inject(feedback({ rating: 5, comment: 'me-and-12 screens of chapter-12' }, headers))
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries[0].request.body.comment).toBe('me-and-12 screens of chapter-12')
})

test.each([
  field({ tokens: 5, secrets: 0, passwords: 2 }),
  field({ token: true, password: false, secret: null }),
  field({ keyboard: 'us', author: { name: 'x' }, tokenType: 'Bearer', pinned: [1], signal: 4 }),
  field({ headers: [{ name: 'accept', value: '*/*' }], value: 7, name: 'rating' }),
  text('token: must-be-given; the key of the door is lost, and a pin: it fell. My password is long'),
  text('<b>bold</b> {"colour": "a long blue"} a=b&c=d https://example.com/a?page=2 11:00'),
  soap('<createServiceToken><itemID>x</itemID></createServiceToken>'),
  get(`${zip}?zipCode=07660&page[size]=2&filter=${encodeURIComponent('{"colour":"blue"}')}`),
  get('/nowhere;v=2/a=b'),
])('the journal shows all of a request that tells of no secret (%#)', async (request) => {
  const { app } = buildTestApp()
  await app.inject(request)
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(JSON.stringify(entries)).not.toContain('[redacted]')
  const { body } = entries[0].request
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  if (request.method === 'POST') expect(sent).toBe(String(asText(request.payload)))
})

function asText(payload: InjectOptions['payload']): string {
  return typeof payload === 'string' ? payload : JSON.stringify(payload)
}
