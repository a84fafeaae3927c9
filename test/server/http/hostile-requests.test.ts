import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { asErin, asGuest, asWeb, buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { readReply, sendRaw } from '../../helpers/raw-request.ts'

const LINE = 'GET /stg/us/guest/zipCode?zipCode=07660 HTTP/1.1\r\nrequest-source: vendor.com\r\nConnection: close\r\n'
const errorBody = {
  requestId: expect.any(String),
  error: { code: expect.any(String), message: expect.any(String), details: expect.any(Array) },
}

test.each([
  ['a request without a Host header', `${LINE}\r\n`, 400],
  ['a request with two Host headers', `${LINE}Host: a\r\nHost: b\r\n\r\n`, 400],
  [
    'a request with Content-Length and Transfer-Encoding',
    `${LINE}Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    'a request with two Content-Length headers',
    `${LINE}Host: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    400,
  ],
  ['a space before a header colon', `${LINE}Host : a\r\n\r\n`, 400],
  ['a bare line feed in a header', `${LINE}Host: a\r\nx: y\nz: w\rq\r\n\r\n`, 400],
  ['a request with headers over 16 KiB', `${LINE}Host: a\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`, 431],
])('%s is rejected in the JSON error format', async (_what, bytes, status) => {
  const { app } = buildTestApp()
  const answer = await sendRaw(await listen(app), bytes)
  const reply = readReply(answer)
  expect(reply).toEqual({ status, body: errorBody })
  const { requestId } = reply.body as typeof errorBody
  expect(answer).toMatch(new RegExp(`^x-request-id: ${requestId}\r$`, 'm'))
})

const LONG = 'x'.repeat(20_000)
const walletError = { resultCode: 'CMN5N9001', resultMessage: expect.any(String) }

test.each([
  ['document 1', `GET /stg/us/guest/zipCode?zipCode=${LONG} HTTP/1.1`, errorBody],
  ['document 1, with a long path', `GET /stg/us/guest/product/validation/${LONG} HTTP/1.1`, errorBody],
  ['document 2', `DELETE /subscriptions/${LONG} HTTP/1.1`, errorBody],
  ['the wallet', `GET /wallet/cmn/v2.0/device/available?modelName=${LONG} HTTP/1.1`, walletError],
  ['the wallet, with 200 headers', `GET /wallet/nope HTTP/1.1\r\n${'x: y\r\n'.repeat(199)}z: y`, walletError],
])('request headers that are too large return 431 in the error format of %s', async (_what, line, body) => {
  const { app } = buildTestApp()
  const answer = await sendRaw(await listen(app), `${line}\r\nHost: a\r\n\r\n`)
  expect(readReply(answer)).toEqual({ status: 431, body })
  expect(answer).toMatch(/^connection: close\r$/im)
})

test('a document 3 request with too large headers returns 431 as plain text', async () => {
  const { app } = buildTestApp()
  const answer = await sendRaw(await listen(app), `POST /iap/ws/RTCService?${LONG} HTTP/1.1\r\nHost: a\r\n\r\n`)
  expect(answer).toMatch(
    /^HTTP\/1.1 431 [\s\S]*\r\ncontent-type: text\/plain[\s\S]*the request has at least 200 headers/,
  )
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries[0].status).toBe(431)
})

const WALLET = '/wallet/cmn/v2.0/device/available'
const BILLING = '/iap/ws/RTCService'
const HUGE = 'x'.repeat(100_000)

test.each([
  [
    'headers over 32 KiB to the wallet',
    `GET ${WALLET}?modelName=${HUGE} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    /^{"resultCode":"CMN5N9001"/,
  ],
  [
    'headers over 32 KiB to the SOAP API',
    `POST ${BILLING} HTTP/1.1\r\nHost: a\r\nx: ${HUGE}\r\n\r\n`,
    431,
    /^the request has at least 200 headers/,
  ],
  [
    'headers over 32 KiB to document 1',
    `GET /stg/us/guest/zipCode?${HUGE} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    /^{"requestId":/,
  ],
  ['headers over 32 KiB in a world', `GET /w/a${WALLET}?${HUGE} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, /^{"resultCode":/],
  ['an invalid header to the wallet', `GET ${WALLET} HTTP/1.1\r\nHost : a\r\n\r\n`, 400, /^{"resultCode":"CMN1N1002"/],
  [
    'an invalid header to the SOAP API',
    `POST ${BILLING}?wsdl HTTP/1.1\r\nHost : a\r\n\r\n`,
    400,
    /^the request is not valid HTTP\n$/,
  ],
  ['an invalid header in absolute form', `GET http://a${WALLET} HTTP/1.1\r\nHost : a\r\n\r\n`, 400, /^{"resultCode":/],
  [
    'two Content-Length headers to document 2',
    `POST /subscriptions HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    400,
    /^{"requestId":/,
  ],
  ['a request line without an address', 'hello there\r\n\r\n', 400, /^the request is not valid HTTP\n$/],
])(
  "a request that Node.js cannot parse returns an error in its API's error format: %s",
  async (_, bytes, status, body) => {
    const { app } = buildTestApp()
    const [head, ...rest] = (await sendRaw(await listen(app), bytes)).split('\r\n\r\n')
    expect([head!.split(' ')[1], rest.join('')]).toEqual([String(status), expect.stringMatching(body)])
    const rule = status === 431 ? 'our choice: header-count' : 'our choice: further-statuses'
    expect(head).toContain(`\nx-vendor-cloud-rule: ${rule}\r`)
  },
)

test.each([
  ['SOAP', BILLING, /^the request took too long to arrive\n$/],
  ['document 2', '/subscriptions', /^{"requestId":/],
])("a request whose body does not arrive returns 408 in its API's error format: %s", async (_, path, body) => {
  const { worlds } = buildTestApp()
  const bounds = { requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 20 }
  const app = buildApp({ worlds, bounds })
  onTestFinished(() => app.close())
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer token-home\r\n`
  const reply = await sendRaw(await listen(app), `${head}Content-Length: 9\r\n\r\n<a`)
  const [status, ...rest] = reply.split('\r\n\r\n')
  expect([status!.split(' ')[1], rest.join('')]).toEqual(['408', expect.stringMatching(body)])
})

test('a request whose headers do not arrive returns 408 as plain text', async () => {
  const { worlds } = buildTestApp()
  const app = buildApp({
    worlds,
    bounds: { requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 20 },
  })
  onTestFinished(() => app.close())
  const reply = await sendRaw(await listen(app), `POST ${BILLING} HTTP/1.1\r\nHost: a\r\n`)
  expect(reply).toMatch(
    /^HTTP\/1.1 408 [\s\S]*\r\ncontent-type: text\/plain[\s\S]*\n\r\nthe request took too long to arrive\n$/,
  )
})

test.each([
  ['another host', 'vendor.example:443', /^{"requestId":/],
  ['document 1', '/stg/us/guest/zipCode', /^{"requestId":/],
  ['the wallet', WALLET, /^{"resultCode":"CMN5N9001"/],
  ['SOAP', BILLING, /^CONNECT is not supported/],
])('CONNECT to %s returns 405 with a message that names the proxy command', async (_, target, body) => {
  const { app } = buildTestApp()
  const reply = await sendRaw(await listen(app), `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
  const [head, text] = reply.split('\r\n\r\n')
  expect([head!.split(' ')[1], text]).toEqual(['405', expect.stringMatching(body)])
  expect(text).toContain('CONNECT is not supported. Use `vendor-cloud proxy` as the proxy')
  expect(head).toMatch(/^allow: \r$/m)
})

test.each([
  ['document 1', '/stg/us/guest/customerFeedback', asGuest(), 400, 'our choice: json-bounds', '1,048,576'],
  ['the control API', '/_control/faults', {}, 413, 'our choice: json-bounds', '1,048,576'],
  ['SOAP', BILLING, { 'content-type': 'text/xml' }, 413, 'our choice: soap-http-errors', '65,536'],
])(
  'a body too large for %s is rejected, and the response cites the violated rule',
  async (_, url, headers, status, rule, bytes) => {
    const { app } = buildTestApp()
    const payload = 'x'.repeat(1024 * 1024 + 1)
    const type = { 'content-type': 'application/json' }
    const reply = await app.inject({ method: 'POST', url, headers: { ...type, ...headers }, payload })
    expect([reply.statusCode, reply.headers['x-vendor-cloud-rule']]).toEqual([status, rule])
    expect(reply.payload).toContain(`the body is larger than ${bytes} bytes`)
  },
)

test.each([
  ['document 1', '/stg/us/guest/customerFeedback', asGuest(), 400, 'our choice: content-types'],
  ['SOAP', BILLING, {}, 415, 'our choice: soap-http-errors'],
])(
  'a malformed content type is rejected, and the response cites the violated rule: %s',
  async (_, url, headers, status, rule) => {
    const { app } = buildTestApp()
    const request = { method: 'POST', url, headers: { ...headers, 'content-type': 'json' }, payload: '{}' } as const
    const reply = await app.inject(request)
    expect([reply.statusCode, reply.headers['x-vendor-cloud-rule']]).toEqual([status, rule])
    expect(reply.payload).toMatch(/content-type/)
  },
)

test.each(['/%zz', '/stg/us/guest/%ff', '/_control/%'])(
  'a path that cannot be decoded returns 400 with an explanation of the encoding: %s',
  async (url) => {
    const reply = await buildTestApp().app.inject(url)
    const message = 'the path cannot be decoded. Write a literal % as %25, and other characters in UTF-8'
    expect([reply.statusCode, reply.json().error.message]).toEqual([400, message])
  },
)

test.each([
  ['document 1', '/stg/us/guest/zipCode?zipCode=07660', errorBody],
  ['the wallet', '/wallet/cmn/v2.0/device/available', walletError],
])('a request with an unknown Expect header returns 417 in the error format of %s', async (_what, path, body) => {
  const { app } = buildTestApp()
  const address = await listen(app)
  const answer = await sendRaw(
    address,
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 200-ok\r\n\r\n`,
  )
  expect(readReply(answer)).toEqual({ status: 417, body })
  expect(answer).toMatch(/^x-request-id: /m)
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries[0].status).toBe(417)
})

test('a request with Expect: 100-continue gets a 100 response and then its regular response', async () => {
  const { app } = buildTestApp()
  const text = LINE.replace('Connection', 'Expect: 100-Continue\r\nConnection')
  expect(await sendRaw(await listen(app), `${text}Host: a\r\n\r\n`)).toMatch(/^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 200 OK/)
})

test('a wallet path that cannot be decoded returns 400 in the wallet error format', async () => {
  const reply = await buildTestApp().app.inject('/wallet/cmn/%ff')
  expect([reply.statusCode, reply.json()]).toEqual([400, { ...walletError, resultCode: 'CMN1N1002' }])
})

test('an HTTP/1.0 request without a Host header succeeds', async () => {
  const { app } = buildTestApp()
  const reply = readReply(await sendRaw(await listen(app), LINE.replace('HTTP/1.1', 'HTTP/1.0').concat('\r\n')))
  expect(reply.status).toBe(200)
})

const feedback = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  ({
    method: 'POST',
    url: '/stg/us/guest/customerFeedback',
    headers: { ...asGuest(), 'content-type': 'application/json', ...headers },
    payload,
  }) as const

test.each([
  ['JSON nested 100,000 levels deep', '['.repeat(100_000) + ']'.repeat(100_000), 'MalformedBody'],
  ['JSON nested 65 levels deep', '['.repeat(65) + ']'.repeat(65), 'MalformedBody'],
  ['a __proto__ key', '{"rating":5,"comment":"x","__proto__":{"a":1}}', 'MalformedBody'],
  ['a nested constructor key', '{"rating":5,"comment":"x","a":[{"constructor":1}]}', 'MalformedBody'],
  ['an escaped __proto__ key', '{"rating":5,"comment":"x","\\u005f_proto__":1}', 'MalformedBody'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'MalformedBody'],
  ['an incomplete body', '{"rating":5,', 'MalformedBody'],
])('%s returns 400 with the expected error code', async (_what, payload, code) => {
  const { app } = buildTestApp()
  const reply = await app.inject(feedback(payload))
  expect([reply.statusCode, reply.json().error.details[0].code]).toEqual([400, code])
})

test('brackets in a string do not count as nesting, even after a byte order mark', async () => {
  const { app } = buildTestApp()
  const comment = '['.repeat(200)
  expect((await app.inject(feedback(`\uFEFF${JSON.stringify({ rating: 5, comment })}`))).statusCode).toBe(200)
})

test('document 1 operations return 400 for bodies over 1 MiB and unsupported types or encodings', async () => {
  const { app } = buildTestApp()
  const code = async (request: ReturnType<typeof feedback>) => {
    const reply = await app.inject(request)
    return [reply.statusCode, reply.json().error.code]
  }
  const valid = JSON.stringify({ rating: 5, comment: 'x' })
  expect(await code(feedback(`"${'x'.repeat(1024 * 1024)}"`))).toEqual([400, 'PayloadTooLargeError'])
  expect(await code(feedback(valid, { 'content-type': 'text/plain' }))).toEqual([400, 'UnsupportedMediaTypeError'])
  expect(await code(feedback(valid, { 'content-encoding': 'gzip' }))).toEqual([400, 'UnsupportedMediaTypeError'])
  expect((await app.inject(feedback(valid, { 'content-encoding': 'identity' }))).statusCode).toBe(200)
})

test.each([
  ['a', '/stg/us/guest/customerFeedback'],
  ['a', '/iap/ws/RTCService'],
  ['', '/stg/us/guest/customerFeedback'],
])('the error message for the content type "%s" mentions the header: %s', async (type, url) => {
  const headers = { ...asGuest(), 'content-type': type }
  const reply = await buildTestApp().app.inject({ method: 'POST', url, headers, payload: '{}' })
  expect([reply.statusCode >= 400, reply.payload]).toEqual([true, expect.stringContaining('content-type')])
})

test.each(['__proto__', 'constructor'])('a request with a query parameter named %s returns 400', async (name) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: `/stg/us/guest/zipCode?zipCode=07660&${name}=1`, headers: asGuest() })
  expect([reply.statusCode, reply.json().error.details[0].target]).toEqual([400, `query.${name}`])
})

test.each([
  ['GET', '/stg/us/contact/reason'],
  ['GET', '/stg/us/instore/checkmobile'],
  ['GET', '/stg/us/instore/noauth/taxonomyTree'],
  ['POST', '/stg/us/cti/guest/token'],
] as const)('%s %s has no parameters, but rejects a parameter named __proto__', async (method, path) => {
  const { app } = buildTestApp()
  const request = (query: string) => app.inject({ method, url: path + query, headers: asErin() })
  expect((await request('?other=1')).statusCode).toBe(200)
  const reply = await request('?__proto__=1')
  expect([reply.statusCode, reply.json().error.details[0].target]).toEqual([400, 'query.__proto__'])
})

test('the identity of the caller is checked before the content-encoding of the body', async () => {
  const { app } = buildTestApp()
  const encoded = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  const post = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/stg/us/dealer/customers', headers: { ...headers, ...encoded }, payload: 'x' })
  const replies = [await post(asGuest()), await post(asWeb('web-alice')), await post(asErin())]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 403, 400])
})

test('an operation without a body ignores the body, its content type and its encoding', async () => {
  const { app } = buildTestApp()
  const headers = { ...asErin(), 'content-type': 'application/json', 'content-encoding': 'gzip' }
  for (const payload of [undefined, '', '{not json', 'x']) {
    const request = { method: 'DELETE', url: '/stg/us/dealer/customers/ticket/9999999999', headers } as const
    expect((await app.inject(payload === undefined ? request : { ...request, payload })).statusCode).toBe(204)
  }
})

test('errors in the query and the body are reported together', async () => {
  const { app } = buildTestApp()
  const url = '/stg/us/dealer/customers/1000000001?constructor=1'
  const reply = await app.inject({ method: 'POST', url, headers: asErin(), payload: { email: 'no', zipCode: 'x' } })
  const targets = reply.json().error.details.map(({ target }: { target: string }) => target)
  expect(targets).toEqual(expect.arrayContaining(['query.constructor', 'body.email', 'body.zipCode']))
})

test('HEAD returns the headers of GET without the body', async () => {
  const { app } = buildTestApp()
  const url = '/stg/us/guest/zipCode?zipCode=07660'
  const [get, head] = [
    await app.inject({ url, headers: asGuest() }),
    await app.inject({ method: 'HEAD', url, headers: asGuest() }),
  ]
  expect([head.statusCode, head.payload, head.headers['content-length']]).toEqual([
    200,
    '',
    get.headers['content-length'],
  ])
})

test('an unsupported method returns 405 with Allow, and an unknown path returns 404', async () => {
  const { app } = buildTestApp()
  const put = await app.inject({ method: 'PUT', url: '/stg/us/guest/zipCode' })
  expect([put.statusCode, put.headers['allow']]).toEqual([405, 'GET, HEAD'])
  const typo = await app.inject('/stg/us/guest/zipcodes')
  expect([typo.statusCode, typo.json().error.message]).toEqual([404, expect.stringContaining('/stg/us/guest/zipCode')])
})

test.each([
  ['POST', '/nowhere', 404],
  ['PUT', '/stg/us/guest/zipCode', 405],
  ['DELETE', '/subscriptions', 405],
] as const)('the response to %s %s does not depend on the body', async (method, url, status) => {
  const { app } = buildTestApp()
  for (const payload of ['', '{bad', 'x'.repeat(2 * 1024 * 1024)]) {
    const reply = await app.inject({ method, url, payload, headers: { 'content-type': 'application/json' } })
    expect(reply.statusCode).toBe(status)
  }
})

test.each([
  ['/stg/us/%zz', 400],
  ['/stg/us/dealer/tickets/%', 400],
  [`/stg/us/dealer/tickets/${'1'.repeat(2000)}`, 404],
])('a malformed path is rejected in the JSON error format (%#)', async (url, status) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url, headers: asErin() })
  expect([reply.statusCode, reply.json()]).toEqual([status, errorBody])
  expect(reply.headers['x-request-id']).toBe(reply.json().requestId)
})

test("an error response contains the client's x-request-id if that is a simple value", async () => {
  const { app } = buildTestApp()
  const own = await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'my-id.1' } })
  expect([own.headers['x-request-id'], own.json().requestId]).toEqual(['my-id.1', 'my-id.1'])
  const odd = await app.inject({ url: '/nowhere', headers: { 'x-request-id': '<script>' } })
  expect(odd.json().requestId).toBe(odd.headers['x-request-id'])
  expect(odd.json().requestId).not.toContain('<')
})
