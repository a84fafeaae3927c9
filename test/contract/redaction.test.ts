import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseCase, type CaseStep, upstreamHeader } from '../../src/contract/files/case.ts'
import { Bindings } from '../../src/contract/files/placeholders.ts'
import { Redactor } from '../../src/contract/redaction.ts'
import { decodeText } from '../../src/contract/records/decoded-text.ts'
import type { HttpBody } from '../../src/contract/exchange.ts'
import { looksSecret } from '../../src/contract/records/secret-names.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const published = new Set(['token-home', 'web-alice'])
const open = () => new Redactor({ sha256, isPublished: (text) => published.has(text) }, 'vendor')
const at = '2026-05-06T16:00:00.000Z'

interface Parts {
  path?: string
  headers?: Record<string, string | string[]>
  body?: HttpBody
  replyHeaders?: Record<string, string | string[]>
  reply?: string
}
const stepOf = ({ path = '/x', headers = {}, body, replyHeaders = {}, reply = '' }: Parts): CaseStep => ({
  step: 1,
  at,
  call: { method: 'POST', path, headers, ...(body !== undefined && { body }) },
  reply: { status: 200, headers: replyHeaders, body: reply },
})

const LONG = 'Zq7canary+/Kx9~WvTrs=='
const SHORT = 'p9Z'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const soap = (name: string, child: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><w:${name}>${child}</w:${name}></s:Body></s:Envelope>`

const escapeSlashes = (text: string) => text.replaceAll('/', '\\/')
const yaml = { 'content-type': 'text/yaml; charset=utf-8' }

const places: Record<string, (secret: string) => Parts> = {
  'a bearer token': (secret) => ({ headers: { authorization: `Bearer ${secret}` } }),
  'another authentication scheme': (secret) => ({ headers: { authorization: `Vendor-Key  ${secret}` } }),
  'the password of Basic authentication': (secret) => ({
    headers: { authorization: `Basic ${base64(`user:${secret}`)}` },
  }),
  'a header with a secret name': (secret) => ({
    headers: { 'x-vendor-api-key': secret, 'x-amz-security-token': secret },
  }),
  'the identity of a caller': (secret) => ({ headers: { 'vendorus-guid': secret } }),
  'a cookie': (secret) => ({ headers: { cookie: `theme=dark; SESSION=${secret}; last=1` } }),
  'a cookie in set-cookie': (secret) => ({
    replyHeaders: { 'set-cookie': ['a=b', `sid=${secret}; Path=/; HttpOnly`] },
  }),
  'a query parameter': (secret) => ({ path: `/x?a=1&access_token=${encodeURIComponent(secret)}&b=2` }),
  'a query parameter with an encoded name': (secret) => ({ path: `/x?%74oken=${encodeURIComponent(secret)}` }),
  'a URL in a header': (secret) => ({ headers: { referer: `https://a/b?key=${encodeURIComponent(secret)}` } }),
  'a URL in a response': (secret) => ({
    reply: `{"registrationUrl":"https://a/b?key=${encodeURIComponent(secret)}"}`,
  }),
  'a JSON field': (secret) => ({ body: JSON.stringify({ user: { clientSecret: secret } }) }),
  'a JSON field with escaped characters': (secret) => ({
    body: `{"password":"${[...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`,
  }),
  'a URL-encoded form': (secret) => ({ body: `grant_type=refresh&refresh_token=${encodeURIComponent(secret)}` }),
  'a part of a multipart form': (secret) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\ncontent-disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
  'a SOAP call': (secret) => ({ body: soap('getSubscriptionStatus', `<serviceToken a="b>">${secret}</serviceToken>`) }),
  'CDATA in a SOAP call': (secret) => ({ body: soap('createServiceToken', `<secret><![CDATA[${secret}]]></secret>`) }),
  'the SOAP response that issues it': (secret) => ({
    reply: soap('createServiceTokenResponse', `<output>${secret}</output>`),
  }),
  'JSON with escaped slashes': (secret) => ({ body: escapeSlashes(JSON.stringify({ token: secret })) }),
  'a URL in a query parameter': (secret) => ({ path: `/w?u=${encodeURIComponent(`https://h/?token=${secret}`)}` }),
  'an object with a name and then a value': (secret) => ({
    body: JSON.stringify({ headers: [{ name: 'Authorization', value: `Bearer ${secret}` }] }),
  }),
  'an object with a value and then a name': (secret) => ({
    body: JSON.stringify({ headers: [{ value: secret, on: 1, name: 'X-Api-Key' }] }),
  }),
  'a header name as a JSON field': (secret) => ({ reply: JSON.stringify({ Authorization: `Bearer ${secret}` }) }),
  'lines of JSON': (secret) => ({ body: `{"a":1}\n${JSON.stringify({ token: secret })}\n` }),
  'JSON lines quoted in a response': (secret) => ({
    reply: JSON.stringify({ got: `{"a":1}\n${JSON.stringify({ token: secret })}\n` }),
  }),
  'JSON quoted twice in JSON': (secret) => ({
    reply: JSON.stringify(JSON.stringify(JSON.stringify({ token: secret }))),
  }),
  'element text around a comment': (secret) => ({
    body: soap('x', `<pin>${secret.slice(0, 1)}<!-- a -->${secret.slice(1)}</pin>`),
  }),
  'an XML attribute': (secret) => ({ body: soap('x', `<a token="${secret}"/>`) }),
  'a URL in an element': (secret) => ({ reply: soap('x', `<a>https://h/?a=1&amp;token=${secret}</a>`) }),
  'a client certificate in a header': (secret) => ({
    headers: { 'x-client-cert': secret, authentication: `Vendor ${secret}` },
  }),
  'the security code of a card': (secret) => ({ body: JSON.stringify({ cvv: secret, card: { cvc: secret } }) }),
  'a redirect that issues a code': (secret) => ({
    replyHeaders: { location: `https://a/cb?code=${encodeURIComponent(secret)}&state=x` },
  }),
  'an object in a field with a secret name': (secret) => ({
    body: JSON.stringify({ auth: { value: secret, more: [{ a: secret }] } }),
  }),
  'a list in a field with a secret name': (secret) => ({
    body: JSON.stringify({ a: ['b'], passwords: [secret, secret] }),
  }),
  'a quoted object in a field with a secret name': (secret) => ({
    body: JSON.stringify({ payload: JSON.stringify({ auth: { value: secret }, more: 1 }) }),
  }),
  'elements in an element with a secret name': (secret) => ({
    body: soap('x', `<w:auth><w:value>${secret}</w:value></w:auth>`),
  }),
}

/** Returns the text together with its decoded versions: JSON escapes, percent-encoding and base64. */
function readings(text: string): string[] {
  const plain = text.replace(/\\+"/g, '"').replaceAll('\\\\', '\\').replace(/\\\//g, '/')
  const decoded = plain.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const packed = [...text.matchAll(/[A-Za-z\d+/]{8,}={0,2}/g)].map(([word]) => Buffer.from(word, 'base64').toString())
  return [text, decoded, decodeText(decodeText(decoded)), ...packed]
}

/** These texts cannot be parsed, so the redacted result must not contain anything of them. */
const unparsable: Record<string, (secret: string) => Parts> = {
  'JSON with single quotes': (secret) => ({ body: `{'token': '${secret}'}` }),
  'a YAML mapping': (secret) => ({ headers: yaml, body: `user: x\ntoken: ${secret} # mine\n` }),
  'a YAML list': (secret) => ({ replyHeaders: yaml, reply: `- token: '${secret}'\n- {a: 1, pin: ${secret}}\n` }),
  'JSON that is cut off in a string': (secret) => ({ body: `{"a":1,"password":"${secret}` }),
  'a list that is cut off in a string': (secret) => ({ body: `{"a":1,"passwords":["b","${secret}` }),
  'JSON with an unquoted string': (secret) => ({ body: `{"password":${secret}x}` }),
  'a sentence in prose': (secret) => ({ reply: `My password: ${secret}, my key: lost` }),
  'an HTML page': (secret) => ({ reply: `<input type="hidden" name="csrf_token" value="${secret}">` }),
  'an XHTML page': (secret) => ({ reply: `<html><body>${secret}</body></html>` }),
  'an HTML page with single quotes': (secret) => ({ reply: `<form data-token='${secret}'>` }),
  'a multipart form without a boundary parameter': (secret) => ({
    headers: { 'content-type': 'multipart/form-data' },
    body: `--b\r\ncontent-disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
}

test.each(Object.keys(unparsable))('a body that cannot be parsed is replaced with its size: %s', (name) => {
  for (const secret of [LONG, SHORT]) {
    const step = stepOf(unparsable[name]!(secret)) as Extract<CaseStep, { call: unknown }>
    const text = JSON.stringify(open().take(step))
    const bytes = Buffer.byteLength(String(step.call.body ?? step.reply.body))
    expect(text).toContain(`{"dropped":"unparsable","bytes":${bytes}}`)
    for (const reading of readings(text)) expect(reading).not.toContain(secret)
  }
})

test('a response body that was cut off is dropped even if it can be parsed', () => {
  const step = stepOf({ reply: '12345' }) as Extract<CaseStep, { call: unknown }>
  const hidden = open().take({ ...step, reply: { ...step.reply, cut: true } })
  expect(hidden).toMatchObject({ reply: { cut: true, body: { dropped: 'unparsable', bytes: 5 } } })
})

test('a dropped request body is shown with its size when a case is read', () => {
  const step = open().take(stepOf({ body: 'prose', reply: 'prose' }))
  const { steps } = parseCase([upstreamHeader, step].map((line) => JSON.stringify(line)).join('\n'))
  expect(steps).toMatchObject([{ call: { body: { dropped: 'unparsable', bytes: 5 } }, reply: { body: undefined } }])
})

test.each([LONG, SHORT])(
  'secrets are redacted in strings that start like JSON but are not valid JSON: %s',
  (secret) => {
    const step = open().take(stepOf({ reply: JSON.stringify({ got: `{'token': "${secret}"}`, a: 1 }) }))
    expect(step).toMatchObject({ reply: { body: '{"got":"{{token:1}}","a":1}' } })
  },
)

test.each(Object.keys(places))(
  'secrets are redacted in the step that first contains them and in later steps: %s',
  (name) => {
    for (const secret of [LONG, SHORT]) {
      const secrets = open()
      const written = [stepOf(places[name]!(secret)), stepOf(places[name]!(secret))].map((step) => secrets.take(step))
      if (secret === LONG) {
        written.push(
          secrets.take(stepOf({ path: `/y/${secret}`, headers: { 'x-other': `is ${secret}` }, reply: secret })),
        )
        written.push(
          secrets.take({ step: 1, at, frame: { subscriptionId: 'S', event: 'E', data: { deep: [secret] } } }),
        )
      }
      const text = JSON.stringify(written)
      expect(text).toMatch(/\{\{token:\d+\}\}/)
      for (const reading of readings(text)) expect(reading).not.toContain(secret)
      expect(written.map(({ tokens = [] }) => tokens.length > 0).slice(0, 2)).toEqual([true, false])
    }
  },
)

test('numbers in secret fields are redacted, but booleans and counts are not', () => {
  const body = '{"cvc":71829364,"pin":{"value":71829365},"token":true,"tokens":5,"page":12345}'
  expect(open().take(stepOf({ body }))).toMatchObject({
    call: { body: '{"cvc":{{token:1}},"pin":{"value":{{token:2}}},"token":true,"tokens":5,"page":12345}' },
  })
})

test.each([
  ['spaces in an element', '<token>', ' '],
  ['spaces in a nested element', '<auth><a>', ' '],
  ['quotes', "'token': '", `\\"'`],
  ['lists that are not closed', '', '{"auth":['],
  ['names', '', 'token:'],
])('the time for redaction grows linearly with the size of hostile input: %s', (_, before, repeated) => {
  const body = before + repeated.repeat(100_000 / repeated.length)
  const start = process.cpuUsage()
  open().take(stepOf({ body }))
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(3000)
})

test('a session ID in a path segment is redacted, but the query is not', () => {
  const written = open().take(stepOf({ path: '/x;jsessionid=CNRYjsess?x=1' }))
  expect(written).toMatchObject({ call: { path: '/x;jsessionid={{token:1}}?x=1' } })
})

test.each([1, 2, 3])('an issued secret gets the same placeholder inside %i layers of escaping', (layers) => {
  const secrets = open()
  let body = '{"q":"CNRY+sl/ash==one-more"}'
  for (let i = 1; i < layers; i++) body = escapeSlashes(JSON.stringify({ body }))
  const quoting = stepOf({ body: escapeSlashes(body), reply: JSON.stringify({ got: escapeSlashes(body) }) })
  for (const issued of ['{"access_token":"CNRY+sl/ash==one-more"}', '{"access_token":"CNRY+sl\\/ash==one-more"}']) {
    expect(secrets.take(stepOf({ reply: issued }))).toMatchObject({ reply: { body: '{"access_token":"{{token:1}}"}' } })
  }
  const { call, reply } = secrets.take(quoting) as Extract<CaseStep, { call: unknown }>
  for (const written of [call.body, reply.body]) expect(written).toContain('{{token:1}}')
  const innermost = (text: string): unknown => {
    const read = JSON.parse(text) as { body?: string; q?: string }
    return read.body === undefined ? read.q : innermost(read.body)
  }
  expect(innermost(String(call.body))).toBe('{{token:1}}')
})

test('a replay recognizes an issued secret even if the server escapes its slashes', () => {
  const secrets = open()
  const reply = '{"u":"a\\/b","access_token":"CNRY+sl\\/ash==one-more"}'
  const written = secrets.take(stepOf({ reply })) as Extract<CaseStep, { reply: unknown }>
  const bindings = new Bindings(secrets.shapes, { sha256, invent: () => 'invented' })
  const learnt = bindings.learn(written.reply.body!, reply.replace('CNRY', 'Next'))
  expect(JSON.parse(learnt)).toEqual({ u: 'a/b', access_token: 'Next+sl/ash==one-more' })
  expect(bindings.fill('{{token:1}}')).toBe('Next+sl/ash==one-more')
})

test.each<[string, Parts]>([
  ['escaped slashes', { body: '{"u":"https:\\/\\/a\\/b"}', reply: '{"got":"{\\"u\\":\\"a\\\\\\/b\\"}"}' }],
  ['a URL', { path: '/w;v=2/x;page=1?u=https%3A%2F%2Fh%2F%3Fpage%3D2%26author%3Dx' }],
  [
    'objects with a name and a value',
    { body: '[{"name":"colour","value":"a long blue"},{"value":"Bearer","key2":"token"}]' },
  ],
  ['lines of JSON', { body: '{"colour":"a long blue"}\n{"monkey":"a long tail"}\n' }],
  ['a redirect', { replyHeaders: { location: '/find?code=a-long-code&page=2' }, path: '/?code=a-long-code&state=NJ' }],
])('values that are not secret stay unchanged: %s', (_, parts) => {
  const step = stepOf(parts)
  expect(open().take(step)).toEqual(step)
})

test('published fixture values and ordinary values are not redacted', () => {
  const step = stepOf({
    path: '/stg/us/guest/zipCode?zipCode=07660&page=2',
    headers: { authorization: 'Bearer token-home', 'vendorus-profid': 'web-alice', 'content-type': 'application/json' },
    body: '{"keyboard":"us","tokenType":"Bearer","author":"x"}',
    reply: '{"monkey":1,"error":{"code":"Unauthorized","message":"a bearer token is missing"}}',
    replyHeaders: { 'www-authenticate': 'Bearer realm="vendor", error="invalid_token"' },
  })
  expect(open().take(step)).toEqual(step)
})

test('a known secret of at least 20 characters is redacted in a later path', () => {
  for (const [token, path] of [
    ['HARr1234567890123456', '/{{token:1}}'],
    ['HARr123456789012345', '/HARr123456789012345'],
  ] as const) {
    const secrets = open()
    expect(secrets.take(stepOf({ body: JSON.stringify({ token }) }))).toMatchObject({
      call: { body: '{"token":"{{token:1}}"}' },
    })
    expect(secrets.take(stepOf({ path: `/${token}` }))).toMatchObject({ call: { path } })
  }
})

test('a known secret is replaced in a binary body', () => {
  const secrets = open()
  secrets.take(stepOf({ headers: { authorization: `Bearer ${LONG}` } }))
  const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(LONG)]).toString('base64')
  expect(secrets.take(stepOf({ body: { base64: bytes } }))).toMatchObject({
    call: { body: { text: '\u0000\u00ff{{token:1}}', charset: 'latin1' } },
  })
})

test('each step stores the shapes of the secrets that first appear in it', () => {
  const secrets = open()
  const steps = ['Abc-12345', 'Abc-12345', 'Xyz-99999'].map((token, i) =>
    secrets.take({ ...stepOf({ headers: { authorization: `Bearer ${token}` } }), step: i + 1 }),
  )
  const text = [upstreamHeader, ...steps].map((line) => JSON.stringify(line)).join('\n')
  const { header, steps: read } = parseCase(text)
  expect(header.tokens).toEqual(secrets.shapes)
  expect(header.tokens).toEqual(['Aaa-00000', 'Aaa-00000'])
  expect(read.map((step) => 'call' in step && step.call.headers['authorization'])).toEqual([
    'Bearer {{token:1}}',
    'Bearer {{token:1}}',
    'Bearer {{token:2}}',
  ])
})

test.each([
  'X-Auth-Token',
  'refreshToken',
  'client_secret',
  'apiKey',
  'Ocp-Apim-Subscription-Key',
  'sessionId',
  'pwd',
  'jsessionid',
  'PHPSESSID',
  'X-Forwarded-Client-Cert',
  'Authentication',
])('the name %s is treated as the name of a secret', (name) => expect(looksSecret(name)).toBe(true))

test.each(['author', 'keyboard', 'tokenType', 'orderId', 'foreignKey', 'authority', 'cert', 'certificateName', ''])(
  'the name %s is not treated as the name of a secret',
  (name) => expect(looksSecret(name)).toBe(false),
)

test('fields that the caller names as secret are redacted in addition to the built-in ones', () => {
  const redactor = new Redactor(
    { sha256, isPublished: () => false, isSecretName: (name) => name === 'badge' },
    'vendor',
  )
  expect(redactor.take(stepOf({ body: '{"badge":"B7","tokens":["a-1"],"x-acme-api-key":"k-1"}' }))).toMatchObject({
    call: { body: '{"badge":"{{token:1}}","tokens":["{{token:2}}"],"x-acme-api-key":"{{token:3}}"}' },
  })
})

/** 48 letters and digits, like the secrets that the server generates. */
const ISSUED = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2mN5pQ8sT1'

test.each([
  ['in plain text', `a ${ISSUED}, b`, 'a {{token:1}}, b'],
  ['in JSON after an escape sequence', `{"a":"x\\n${ISSUED}"}`, '{"a":"x\\n{{token:1}}"}'],
  ['after a percent-encoded character', `a=%20${ISSUED}`, 'a=%20{{token:1}}'],
  ['in XML', `<a>&lt;${ISSUED}&gt;</a>`, '<a>&lt;{{token:1}}&gt;</a>'],
  [
    'in Basic authentication',
    `x Basic ${base64(`u:${ISSUED}`)} y`,
    expect.stringMatching(/^x Basic \{\{token:\d\}\} y$/),
  ],
  ['as its digest', sha256(ISSUED), '{{digest:1}}'],
  ['within a longer word', `${ISSUED}x`, `${ISSUED}x`],
])('a known secret in vendor-cloud traffic is replaced where it is a whole word: %s', (_, text, hidden) => {
  const redactor = new Redactor({ sha256, isPublished: () => false }, 'own')
  redactor.add(ISSUED)
  expect(redactor.hideText(text)).toEqual(hidden)
})

test('in the traffic of vendor-cloud itself, only credential headers are redacted, and bodies stay unchanged', () => {
  const redactor = new Redactor({ sha256, isPublished: (text) => published.has(text) }, 'own')
  const headers = {
    authorization: 'Bearer rejected-1',
    cookie: 'vendorus-profId=me; sid=s1',
    'x-api-key': 'token-home',
  }
  const body = '<html>{"password":"rejected-1"'
  expect(redactor.take(stepOf({ path: '/rejected-1?key=rejected-1', headers, body, reply: 'prose' }))).toMatchObject({
    call: {
      path: '/rejected-1?key=rejected-1',
      headers: { ...headers, authorization: 'Bearer {{token:1}}', cookie: 'vendorus-profId=me; sid={{token:2}}' },
      body,
    },
    reply: { body: 'prose' },
  })
})

test('redacting a megabyte with 10,000 known secrets takes less than a second', () => {
  const redactor = new Redactor({ sha256, isPublished: () => false }, 'own')
  for (let i = 0; i < 10_000; i++) redactor.add(`secret${String(i).padStart(20, '0')}`)
  const text = 'a text with many words and 12345 numbers. '.repeat(25_000)
  const start = process.cpuUsage()
  expect(redactor.hideText(text)).toBe(text)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
})
