import { afterAll, expect, test } from 'vitest'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { asApp, asErin, asGuest, asWeb, listen, makeTestApp } from '../../helpers/build-test-app.ts'
import { readReply, sendRaw } from '../../helpers/raw-request.ts'

const path = '/stg/us/instore/checkmobile'
const { app, close } = makeTestApp()
const address = await listen(app)
afterAll(close)

async function ask(headers: Record<string, string>) {
  const reply = await app.inject({ url: path, headers })
  return reply.statusCode === 200 ? reply.json().exist : reply.statusCode
}

// web-alice has a mobile number, but web-bob does not.
test('the cookie vendorus-profId identifies a web caller and takes precedence over the header', async () => {
  expect(await ask({ ...asGuest(), cookie: 'a=b; vendorus-profId=web-alice' })).toBe(true)
  expect(await ask({ ...asWeb('web-alice'), cookie: 'vendorus-profId=web-bob; c=d' })).toBe(false)
})

test('the value of a quoted identity cookie (RFC 6265) is read without its quotes', async () => {
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId="web-alice"' })).toBe(true)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId="web-bob"; vendorus-profId=web-bob' })).toBe(false)
})

test('a 401 response of document 1 has a challenge that opens no login dialog', async () => {
  const reply = await app.inject({ url: path, headers: asGuest() })
  expect([reply.statusCode, reply.headers['www-authenticate']]).toEqual([401, 'Identity realm="vendor-cloud"'])
})

test('an empty identity cookie counts as absent, and another identity is used', async () => {
  expect(await ask({ ...asWeb('web-alice'), cookie: 'vendorus-profId=' })).toBe(true)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=; vendorus-profId=web-alice' })).toBe(true)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=' })).toBe(401)
})

test('two different identity cookies return 400, and two equal ones count as one', async () => {
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=web-alice; vendorus-profId=web-bob' })).toBe(400)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=web-bob; vendorus-profId=web-bob' })).toBe(false)
})

test('the identity cookie is ignored in requests from an app', async () => {
  const cookie = 'vendorus-profId=a; vendorus-profId=b'
  expect(await ask({ ...asApp('splus-carol'), cookie })).toBe(true)
  expect(await ask({ 'request-source': 'splus', cookie: 'vendorus-profId=web-alice' })).toBe(401)
})

const odd = 'CN=Ann O\'Hara; {"id": 7}'

test('an identity that is not 1 to 512 printable ASCII characters returns 401', async () => {
  for (const value of ['ü', 'a'.repeat(513)]) expect(await ask(asWeb(value))).toBe(401)
  expect(await ask({ ...asWeb('web-alice'), cookie: 'vendorus-profId=%C3%BC' })).toBe(401)
  for (const value of [odd, 'a'.repeat(512)]) expect(await ask(asWeb(value))).toBe(404)
})

test('a profile can have any valid identity, even one with spaces and punctuation', async () => {
  const userId = `profile:${odd}`
  const payload = { userId, firstName: 'A', lastName: 'B', email: 'a@example.com', companyId: 'C100' }
  const url = `/_control/records/profiles/${encodeURIComponent(userId)}`
  expect((await app.inject({ method: 'PUT', url, payload })).statusCode).toBeLessThan(300)
  expect((await app.inject({ url: '/stg/us/dealer/stores', headers: asWeb(odd) })).statusCode).toBe(200)
})

test('web requests ignore the GUID, and app requests ignore the profile ID', async () => {
  expect(await ask({ 'request-source': 'vendor.com', 'vendorus-GUID': 'splus-carol' })).toBe(401)
  expect(await ask({ 'request-source': 'voyager', 'vendorus-profId': 'web-alice' })).toBe(401)
})

test.each([
  ['request-source', 'vendor.com', { 'vendorus-profId': 'web-alice' }],
  ['vendorus-profId', 'web-alice', { 'request-source': 'vendor.com' }],
  ['vendorus-GUID', 'splus-carol', { 'request-source': 'splus' }],
])('a request with the header %s given twice returns 400', async (name, value, others) => {
  const lines = [...Object.entries(others), [name, value], [name.toLowerCase(), value]]
  const head = lines.map((line) => `${line.join(': ')}\r\n`).join('')
  const reply = await sendRaw(address, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n`)
  expect(readReply(reply)).toMatchObject({ status: 400, body: { error: { details: [{ code: 'RepeatedParameter' }] } } })
})

const source = 'request-source'
const rule = 'document 1, section 4, common request headers'
const form = 'is not 1 to 512 printable ASCII characters'
const formRule = 'our choice: identity-form'

test.each([
  [
    401,
    asGuest(),
    'header.vendorus-profId is required for requests from vendor.com; GET /_control/status names callers',
    rule,
  ],
  [
    401,
    { [source]: 'voyager' },
    'header.vendorus-GUID is required for requests from voyager; GET /_control/status names callers',
    rule,
  ],
  [
    401,
    { ...asGuest(), 'vendorus-GUID': 'splus-carol' },
    'header.vendorus-profId is required for requests from vendor.com (vendorus-GUID is for apps); GET /_control/status names callers',
    rule,
  ],
  [
    401,
    { ...asGuest(), 'vendorus-prof-id': 'web-alice' },
    'header.vendorus-profId is required for requests from vendor.com, and vendorus-prof-id is ignored; ' +
      'GET /_control/status names callers',
    rule,
  ],
  [401, asWeb('ü'), `header.vendorus-profId ${form}`, formRule],
  [401, asApp('ü'), `header.vendorus-GUID ${form}`, formRule],
  [404, asWeb('nobody'), 'user not found', 'document 1, section 7'],
])('a %i response for %j explains what is wrong with the identity', async (status, headers, message, rule) => {
  const reply = await app.inject({ url: path, headers })
  expect(reply.statusCode).toBe(status)
  expect(reply.json().error.message).toBe(message)
  expect(citedRules(reply)).toEqual([rule])
})

test.each([
  [{}, 'header.request-source', 'MissingParameter', 'is required: one of vendor.com, splus, voyager', rule],
  [
    { 'request-sorce': 'splus' },
    'header.request-source',
    'MissingParameter',
    'is required: one of vendor.com, splus, voyager, and request-sorce is ignored',
    rule,
  ],
  [
    { [source]: '' },
    'header.request-source',
    'MissingParameter',
    'is required: one of vendor.com, splus, voyager',
    rule,
  ],
  [
    { [source]: 'web' },
    'header.request-source',
    'InvalidParameter',
    'must be one of vendor.com, splus, voyager',
    'our choice: request-source-web',
  ],
  [
    { [source]: 'splus,splus' },
    'header.request-source',
    'RepeatedParameter',
    'is given more than once',
    'our choice: identity-headers',
  ],
  [
    { ...asGuest(), cookie: 'vendorus-profId=a; vendorus-profId=b' },
    'cookie.vendorus-profId',
    'RepeatedParameter',
    'has two different values',
    'our choice: identity-headers',
  ],
])('a 400 response for %j has an error for %s with the code %s', async (headers, target, code, words, source) => {
  const reply = await app.inject({ url: path, headers })
  expect(reply.statusCode).toBe(400)
  expect(reply.json().error.details).toMatchObject([{ target, code, message: `${target} ${words}`, source }])
})

test.each([
  ['/stg/us/instore/checkmobile', asWeb('web-alice'), 'web-alice'],
  ['/stg/us/guest/zipCode?zipCode=07660', asApp('splus-carol'), 'splus-carol'],
  ['/stg/us/guest/zipCode?zipCode=07660', asGuest(), undefined],
  ['/stg/us/instore/noauth/nearest?zipCode=07660', asWeb('ü'), undefined],
  ['/stg/us/dealer/stores', asErin(), 'dealer-erin'],
])('the journal shows the caller of %s as %j', async (url, headers, caller) => {
  expect((await app.inject({ url, headers })).statusCode).toBe(200)
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries[0].caller).toBe(caller)
})

test.each([
  [
    401,
    asWeb('nobody'),
    '',
    'no user profile has the profId nobody; GET /_control/status lists callers',
    'our choice: unknown-identity',
  ],
  [
    401,
    asApp('web-alice'),
    '',
    'no user profile has the GUID web-alice; GET /_control/status lists callers',
    'our choice: unknown-identity',
  ],
  [
    403,
    asWeb('web-alice'),
    '',
    'this user profile does not belong to a dealer company; GET /_control/status names dealers',
    'our choice: dealer-company',
  ],
  [403, asErin(), '?companyId=C200', 'companyId is not the ID of your company', 'our choice: dealer-company'],
])(
  'a dealer operation returns %i for %j%s with a message that explains why',
  async (status, headers, query, message, rule) => {
    const reply = await app.inject({ url: `/stg/us/dealer/tickets${query}`, headers })
    expect(reply.statusCode).toBe(status)
    expect(reply.json().error.message).toBe(message)
    expect(citedRules(reply)).toEqual([rule])
  },
)

test('a dealer may send its own companyId or omit it', async () => {
  for (const query of ['', '?companyId=C100']) {
    const reply = await app.inject({ url: `/stg/us/dealer/tickets${query}`, headers: asErin() })
    expect(reply.json().items).toContainEqual(expect.objectContaining({ companyId: 'C100' }))
  }
})
