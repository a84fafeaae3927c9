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
  'a bearer': (secret) => ({ headers: { authorization: `Bearer ${secret}` } }),
  'another scheme': (secret) => ({ headers: { authorization: `Vendor-Key  ${secret}` } }),
  'Basic, as its password': (secret) => ({ headers: { authorization: `Basic ${base64(`user:${secret}`)}` } }),
  'a header of its own name': (secret) => ({ headers: { 'x-vendor-api-key': secret, 'x-amz-security-token': secret } }),
  'the identity of a caller': (secret) => ({ headers: { 'vendorus-guid': secret } }),
  'a cookie': (secret) => ({ headers: { cookie: `theme=dark; SESSION=${secret}; last=1` } }),
  'a cookie that is set': (secret) => ({ replyHeaders: { 'set-cookie': ['a=b', `sid=${secret}; Path=/; HttpOnly`] } }),
  'a query': (secret) => ({ path: `/x?a=1&access_token=${encodeURIComponent(secret)}&b=2` }),
  'a query whose name is encoded': (secret) => ({ path: `/x?%74oken=${encodeURIComponent(secret)}` }),
  'an address in a header': (secret) => ({ headers: { referer: `https://a/b?key=${encodeURIComponent(secret)}` } }),
  'an address in a reply': (secret) => ({
    reply: `{"registrationUrl":"https://a/b?key=${encodeURIComponent(secret)}"}`,
  }),
  'a field of JSON': (secret) => ({ body: JSON.stringify({ user: { clientSecret: secret } }) }),
  'a field of JSON in escapes': (secret) => ({
    body: `{"password":"${[...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`,
  }),
  'a form': (secret) => ({ body: `grant_type=refresh&refresh_token=${encodeURIComponent(secret)}` }),
  'a part of a form': (secret) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\ncontent-disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
  'a SOAP call': (secret) => ({ body: soap('getSubscriptionStatus', `<serviceToken a="b>">${secret}</serviceToken>`) }),
  'CDATA of a SOAP call': (secret) => ({ body: soap('createServiceToken', `<secret><![CDATA[${secret}]]></secret>`) }),
  'the reply that issues it': (secret) => ({ reply: soap('createServiceTokenResponse', `<output>${secret}</output>`) }),
  'JSON whose slashes are escaped': (secret) => ({ body: escapeSlashes(JSON.stringify({ token: secret })) }),
  'an address in a query': (secret) => ({ path: `/w?u=${encodeURIComponent(`https://h/?token=${secret}`)}` }),
  'name and value apart': (secret) => ({
    body: JSON.stringify({ headers: [{ name: 'Authorization', value: `Bearer ${secret}` }] }),
  }),
  'value and name apart': (secret) => ({
    body: JSON.stringify({ headers: [{ value: secret, on: 1, name: 'X-Api-Key' }] }),
  }),
  'a header in a field': (secret) => ({ reply: JSON.stringify({ Authorization: `Bearer ${secret}` }) }),
  'lines of JSON': (secret) => ({ body: `{"a":1}\n${JSON.stringify({ token: secret })}\n` }),
  'lines of JSON that a reply quotes': (secret) => ({
    reply: JSON.stringify({ got: `{"a":1}\n${JSON.stringify({ token: secret })}\n` }),
  }),
  'JSON that quoted JSON quotes': (secret) => ({
    reply: JSON.stringify(JSON.stringify(JSON.stringify({ token: secret }))),
  }),
  'text around a comment': (secret) => ({
    body: soap('x', `<pin>${secret.slice(0, 1)}<!-- a -->${secret.slice(1)}</pin>`),
  }),
  'an attribute': (secret) => ({ body: soap('x', `<a token="${secret}"/>`) }),
  'an address in an element': (secret) => ({ reply: soap('x', `<a>https://h/?a=1&amp;token=${secret}</a>`) }),
  'a certificate of a client': (secret) => ({
    headers: { 'x-client-cert': secret, authentication: `Vendor ${secret}` },
  }),
  'the number behind a card': (secret) => ({ body: JSON.stringify({ cvv: secret, card: { cvc: secret } }) }),
  'a redirection that issues a code': (secret) => ({
    replyHeaders: { location: `https://a/cb?code=${encodeURIComponent(secret)}&state=x` },
  }),
  'an object below a name': (secret) => ({ body: JSON.stringify({ auth: { value: secret, more: [{ a: secret }] } }) }),
  'a list below a name': (secret) => ({ body: JSON.stringify({ a: ['b'], passwords: [secret, secret] }) }),
  'a quoted object below a name': (secret) => ({
    body: JSON.stringify({ payload: JSON.stringify({ auth: { value: secret }, more: 1 }) }),
  }),
  'elements below an element': (secret) => ({ body: soap('x', `<w:auth><w:value>${secret}</w:value></w:auth>`) }),
}

/** Returns the text and decoded versions of it: JSON escapes, percent-encoding and base64. */
function readings(text: string): string[] {
  const plain = text.replace(/\\+"/g, '"').replaceAll('\\\\', '\\').replace(/\\\//g, '/')
  const decoded = plain.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const packed = [...text.matchAll(/[A-Za-z\d+/]{8,}={0,2}/g)].map(([word]) => Buffer.from(word, 'base64').toString())
  return [text, decoded, decodeText(decodeText(decoded)), ...packed]
}

/** None of these can be parsed, so the redacted result must not contain any part of them. */
const unparsable: Record<string, (secret: string) => Parts> = {
  'single quotes': (secret) => ({ body: `{'token': '${secret}'}` }),
  'a line of YAML': (secret) => ({ headers: yaml, body: `user: x\ntoken: ${secret} # mine\n` }),
  'an item of YAML': (secret) => ({ replyHeaders: yaml, reply: `- token: '${secret}'\n- {a: 1, pin: ${secret}}\n` }),
  'JSON that ends in a text': (secret) => ({ body: `{"a":1,"password":"${secret}` }),
  'a list that ends in a text': (secret) => ({ body: `{"a":1,"passwords":["b","${secret}` }),
  'JSON with a word without quotes': (secret) => ({ body: `{"password":${secret}x}` }),
  'a sentence': (secret) => ({ reply: `My password: ${secret}, my key: lost` }),
  'a page': (secret) => ({ reply: `<input type="hidden" name="csrf_token" value="${secret}">` }),
  'a page in XML': (secret) => ({ reply: `<html><body>${secret}</body></html>` }),
  'a page, the other way about': (secret) => ({ reply: `<form data-token='${secret}'>` }),
  'a part of a form without its boundary': (secret) => ({
    headers: { 'content-type': 'multipart/form-data' },
    body: `--b\r\ncontent-disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
}

test.each(Object.keys(unparsable))('a body that cannot be parsed is dropped, and its size is shown: %s', (name) => {
  for (const secret of [LONG, SHORT]) {
    const step = stepOf(unparsable[name]!(secret)) as Extract<CaseStep, { call: unknown }>
    const text = JSON.stringify(open().take(step))
    const bytes = Buffer.byteLength(String(step.call.body ?? step.reply.body))
    expect(text).toContain(`{"dropped":"unparsable","bytes":${bytes}}`)
    for (const reading of readings(text)) expect(reading).not.toContain(secret)
  }
})

test('an incomplete response body is dropped even when it can be parsed', () => {
  const step = stepOf({ reply: '12345' }) as Extract<CaseStep, { call: unknown }>
  const hidden = open().take({ ...step, reply: { ...step.reply, cut: true } })
  expect(hidden).toMatchObject({ reply: { cut: true, body: { dropped: 'unparsable', bytes: 5 } } })
})

test('a case has no dropped response body, but shows that of the call', () => {
  const step = open().take(stepOf({ body: 'prose', reply: 'prose' }))
  const { steps } = parseCase([upstreamHeader, step].map((line) => JSON.stringify(line)).join('\n'))
  expect(steps).toMatchObject([{ call: { body: { dropped: 'unparsable', bytes: 5 } }, reply: { body: undefined } }])
})

test.each([LONG, SHORT])('a text that only starts like JSON is redacted: %s', (secret) => {
  const step = open().take(stepOf({ reply: JSON.stringify({ got: `{'token': "${secret}"}`, a: 1 }) }))
  expect(step).toMatchObject({ reply: { body: '{"got":"{{token:1}}","a":1}' } })
})

test.each(Object.keys(places))('a secret is redacted in the step that shows it and in later steps: %s', (name) => {
  for (const secret of [LONG, SHORT]) {
    const secrets = open()
    const written = [stepOf(places[name]!(secret)), stepOf(places[name]!(secret))].map((step) => secrets.take(step))
    if (secret === LONG) {
      written.push(
        secrets.take(stepOf({ path: `/y/${secret}`, headers: { 'x-other': `is ${secret}` }, reply: secret })),
      )
      written.push(secrets.take({ step: 1, at, frame: { subscriptionId: 'S', event: 'E', data: { deep: [secret] } } }))
    }
    const text = JSON.stringify(written)
    expect(text).toMatch(/\{\{token:\d+\}\}/)
    for (const reading of readings(text)) expect(reading).not.toContain(secret)
    expect(written.map(({ tokens = [] }) => tokens.length > 0).slice(0, 2)).toEqual([true, false])
  }
})

test('numbers in secret fields are redacted, and booleans and counts are not', () => {
  const body = '{"cvc":71829364,"pin":{"value":71829365},"token":true,"tokens":5,"page":12345}'
  expect(open().take(stepOf({ body }))).toMatchObject({
    call: { body: '{"cvc":{{token:1}},"pin":{"value":{{token:2}}},"token":true,"tokens":5,"page":12345}' },
  })
})

test.each([
  ['spaces in an element', '<token>', ' '],
  ['spaces in an element of another', '<auth><a>', ' '],
  ['quotes', "'token': '", `\\"'`],
  ['open lists', '', '{"auth":['],
  ['names', '', 'token:'],
])('16 redaction time grows linearly with hostile text: %s', (_, before, repeated) => {
  const body = before + repeated.repeat(100_000 / repeated.length)
  const start = process.cpuUsage()
  open().take(stepOf({ body }))
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(3000)
})

test('a path segment parameter is redacted, and the query after it is not', () => {
  const written = open().take(stepOf({ path: '/x;jsessionid=CNRYjsess?x=1' }))
  expect(written).toMatchObject({ call: { path: '/x;jsessionid={{token:1}}?x=1' } })
})

test.each([1, 2, 3])('an issued secret has the same placeholder under %i layers of escaping', (layers) => {
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

test('a replay recognizes an issued secret although the server escapes its slashes', () => {
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
  ['an address', { path: '/w;v=2/x;page=1?u=https%3A%2F%2Fh%2F%3Fpage%3D2%26author%3Dx' }],
  ['names beside values', { body: '[{"name":"colour","value":"a long blue"},{"value":"Bearer","key2":"token"}]' }],
  ['lines of JSON', { body: '{"colour":"a long blue"}\n{"monkey":"a long tail"}\n' }],
  [
    'a redirection',
    { replyHeaders: { location: '/find?code=a-long-code&page=2' }, path: '/?code=a-long-code&state=NJ' },
  ],
])('values without a secret stay unchanged: %s', (_, parts) => {
  const step = stepOf(parts)
  expect(open().take(step)).toEqual(step)
})

test('published fixture values and values without secrets stay', () => {
  const step = stepOf({
    path: '/stg/us/guest/zipCode?zipCode=07660&page=2',
    headers: { authorization: 'Bearer token-home', 'vendorus-profid': 'web-alice', 'content-type': 'application/json' },
    body: '{"keyboard":"us","tokenType":"Bearer","author":"x"}',
    reply: '{"monkey":1,"error":{"code":"Unauthorized","message":"a bearer token is missing"}}',
    replyHeaders: { 'www-authenticate': 'Bearer realm="vendor", error="invalid_token"' },
  })
  expect(open().take(step)).toEqual(step)
})

test('a secret of 20 characters is redacted in a later path, and a shorter one is not', () => {
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

test('bytes with a known secret are written without it', () => {
  const secrets = open()
  secrets.take(stepOf({ headers: { authorization: `Bearer ${LONG}` } }))
  const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(LONG)]).toString('base64')
  expect(secrets.take(stepOf({ body: { base64: bytes } }))).toMatchObject({
    call: { body: { text: '\u0000\u00ff{{token:1}}', charset: 'latin1' } },
  })
})

test('steps contain the shapes of their placeholders, from which a reader gets all of them', () => {
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
])('%s is treated as a secret name', (name) => expect(looksSecret(name)).toBe(true))

test.each(['author', 'keyboard', 'tokenType', 'orderId', 'foreignKey', 'authority', 'cert', 'certificateName', ''])(
  '%s is not treated as a secret name',
  (name) => expect(looksSecret(name)).toBe(false),
)

test('additional secret names from the caller count like those of the contract', () => {
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
  ['as is', `a ${ISSUED}, b`, 'a {{token:1}}, b'],
  ['in JSON behind an escape', `{"a":"x\\n${ISSUED}"}`, '{"a":"x\\n{{token:1}}"}'],
  ['behind an encoded sign', `a=%20${ISSUED}`, 'a=%20{{token:1}}'],
  ['in XML', `<a>&lt;${ISSUED}&gt;</a>`, '<a>&lt;{{token:1}}&gt;</a>'],
  ['in Basic', `x Basic ${base64(`u:${ISSUED}`)} y`, expect.stringMatching(/^x Basic \{\{token:\d\}\} y$/)],
  ['as its digest', sha256(ISSUED), '{{digest:1}}'],
  ['within a longer word', `${ISSUED}x`, `${ISSUED}x`],
])('in our own traffic an additional secret is replaced as a word: %s', (_, text, hidden) => {
  const redactor = new Redactor({ sha256, isPublished: () => false }, 'own')
  redactor.add(ISSUED)
  expect(redactor.hideText(text)).toEqual(hidden)
})

test('in our own traffic only credential headers are redacted, and bodies keep their bytes', () => {
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

test('16 a megabyte is scanned once for any number of secrets', () => {
  const redactor = new Redactor({ sha256, isPublished: () => false }, 'own')
  for (let i = 0; i < 10_000; i++) redactor.add(`secret${String(i).padStart(20, '0')}`)
  const text = 'a text with many words and 12345 numbers. '.repeat(25_000)
  const start = process.cpuUsage()
  expect(redactor.hideText(text)).toBe(text)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
})
