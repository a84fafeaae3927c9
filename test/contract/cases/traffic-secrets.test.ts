import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseCase } from '../../../src/contract/cases/case-file.ts'
import { decodeAll } from '../../../src/contract/cases/hidden-text.ts'
import { TrafficSecrets } from '../../../src/contract/cases/traffic-secrets.ts'
import type { CaseBody, CaseStep } from '../../../src/contract/records/control/case.ts'
import { upstreamHeader } from '../../../src/contract/records/control/case-header.ts'
import { soundsSecret } from '../../../src/contract/records/secret-names.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const published = new Set(['token-home', 'web-alice'])
const open = () => new TrafficSecrets({ sha256, isPublished: (text) => published.has(text) })
const at = '2026-05-06T16:00:00.000Z'

interface Parts {
  path?: string
  headers?: Record<string, string | string[]>
  body?: CaseBody
  replyHeaders?: Record<string, string | string[]>
  reply?: string
}
const stepOf = ({ path = '/x', headers = {}, body, replyHeaders = {}, reply = '' }: Parts): CaseStep => ({
  step: 1,
  at,
  call: { method: 'POST', path, headers, ...(body !== undefined && { body }) },
  reply: { status: 200, headers: replyHeaders, body: reply },
})

const LONG = 'Zq7canary+/Kx9~Wv=='
const SHORT = 'p9Z'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const soap = (name: string, child: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><w:${name}>${child}</w:${name}></s:Body></s:Envelope>`

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
    body: `--b\r\ncontent-disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
  'a SOAP call': (secret) => ({ body: soap('getSubscriptionStatus', `<serviceToken a="b>">${secret}</serviceToken>`) }),
  'CDATA of a SOAP call': (secret) => ({ body: soap('createServiceToken', `<secret><![CDATA[${secret}]]></secret>`) }),
  'the reply that issues it': (secret) => ({ reply: soap('createServiceTokenResponse', `<output>${secret}</output>`) }),
  'a page': (secret) => ({ reply: `<input type="hidden" name="csrf_token" value="${secret}">` }),
  'a page, the other way about': (secret) => ({ reply: `<form data-token='${secret}'>` }),
}

/** All that a reader may make of a case, and of what is encoded in it. */
function readings(text: string): string[] {
  const decoded = decodeAll(text.replaceAll('\\"', '"').replaceAll('\\\\', '\\'))
  const packed = [...text.matchAll(/[A-Za-z\d+/]{8,}={0,2}/g)].map(([word]) => Buffer.from(word, 'base64').toString())
  return [text, decoded, ...packed]
}

test.each(Object.keys(places))('a secret stands in no step that shows it, nor behind it: %s', (name) => {
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

test('what the fixtures publish stays, and so does all that is no secret', () => {
  const step = stepOf({
    path: '/stg/us/guest/zipCode?zipCode=07660&page=2',
    headers: { authorization: 'Bearer token-home', 'vendorus-profid': 'web-alice', 'content-type': 'application/json' },
    body: '{"keyboard":"us","tokenType":"Bearer","author":"x"}',
    reply: '{"monkey":1,"error":{"code":"Unauthorized","message":"a bearer token is missing"}}',
    replyHeaders: { 'www-authenticate': 'Bearer realm="vendor", error="invalid_token"' },
  })
  expect(open().take(step)).toEqual(step)
})

test('bytes that hold a secret which is known are written without it', () => {
  const secrets = open()
  secrets.take(stepOf({ headers: { authorization: `Bearer ${LONG}` } }))
  const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(LONG)]).toString('base64')
  expect(secrets.take(stepOf({ body: { base64: bytes } }))).toMatchObject({
    call: { body: { text: '\u0000\u00ff{{token:1}}', charset: 'latin1' } },
  })
})

test('steps bring the shapes of their placeholders, from which a reader has all of them', () => {
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

test.each(['X-Auth-Token', 'refreshToken', 'client_secret', 'apiKey', 'Ocp-Apim-Subscription-Key', 'sessionId', 'pwd'])(
  '%s sounds like a secret',
  (name) => expect(soundsSecret(name)).toBe(true),
)

test.each(['author', 'keyboard', 'tokenType', 'orderId', 'foreignKey', 'authority', ''])(
  '%s does not sound like a secret',
  (name) => expect(soundsSecret(name)).toBe(false),
)
