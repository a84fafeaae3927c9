import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../../src/commands/cases/replay.ts'
import { decodeAll } from '../../../src/contract/cases/hidden-text.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'

const names =
  `password pwd passwd client_secret id_token refresh_token apikey api_key sig signature sessionid jwt auth credential
  X-Api-Key clientSecret client_assertion`.split(/\s+/)
const secrets = ['hunter2hunter2', 'correcthorse', 'p9Z', '20481234567', 'two words 2', 'ü/1+&<"\\ß9abc']

const zip = '/stg/us/guest/zipCode?zipCode=07660'
const guest = { 'request-source': 'vendor.com' }
const form = 'application/x-www-form-urlencoded'
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const soap = (child: string) =>
  `<s:Envelope xmlns:s="${SOAP}"><s:Body><w:getSubscriptionStatus xmlns:w="http://ws.iap.vendor.com/">` +
  `<purchaseID>purchase-active</purchaseID>${child}</w:getSubscriptionStatus></s:Body></s:Envelope>`
const escaped = (text: string) => [...text].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
const parts = (name: string, secret: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--b--\r\n`

type Send = (path: string, type?: string, body?: string | Uint8Array, headers?: object) => Promise<void>

function createSend(url: string): Send {
  return async (path, type, body, headers) => {
    const sent = { ...guest, ...(type !== undefined && { 'content-type': type }), ...headers }
    const init = body === undefined ? {} : { method: 'POST', body }
    await (await fetch(url + path, { ...init, headers: sent })).text()
  }
}

const spellings: Record<string, (send: Send, name: string, secret: string) => Promise<void>> = {
  'a query': (send, name, secret) => send(`${zip}&${name}=${encodeURIComponent(secret)}`),
  'a query whose name is encoded': (send, name, secret) =>
    send(`${zip}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${encodeURIComponent(secret)}&x=1`),
  'an address in a query': (send, name, secret) =>
    send(`${zip}&back=${encodeURIComponent(`https://a.example/?${name}=${encodeURIComponent(secret)}`)}`),
  'an address in a header': (send, name, secret) =>
    send(zip, undefined, undefined, { referer: `https://a.example/?${name}=${encodeURIComponent(secret)}` }),
  JSON: (send, name, secret) =>
    send('/stg/us/guest/customerFeedback', 'application/json', JSON.stringify({ rating: 5, [name]: secret })),
  'escaped JSON': (send, name, secret) =>
    send('/stg/us/guest/customerFeedback', 'application/json', `{"rating":5,"${escaped(name)}":"${escaped(secret)}"}`),
  'JSON that cannot be read': (send, name, secret) =>
    send(
      '/stg/us/guest/customerFeedback',
      'application/json',
      `{"rating":5,${JSON.stringify(name)}:${JSON.stringify(secret)}`,
    ),
  'a form': (send, name, secret) =>
    send('/stg/us/guest/customerFeedback', form, new URLSearchParams({ [name]: secret, rating: '5' }).toString()),
  'parts of a form': (send, name, secret) =>
    send('/stg/us/guest/customerFeedback', 'multipart/form-data; boundary=b', parts(name, secret)),
  'parts of a form beside bytes': (send, name, secret) =>
    send(
      '/stg/us/guest/customerFeedback',
      'multipart/form-data; boundary=b',
      Buffer.concat([Buffer.from([7, 255, 3, 13, 10]), Buffer.from(parts(name, secret))]),
    ),
  'parts of a form whose lines end as in Unix': (send, name, secret) =>
    send(
      '/stg/us/guest/customerFeedback',
      'multipart/form-data; boundary=b',
      parts(name, secret).replaceAll('\r\n', '\n'),
    ),
  'several lines in a part of a form': (send, name, secret) =>
    send(
      '/stg/us/guest/customerFeedback',
      'multipart/form-data; boundary=b',
      parts(name, `first\r\n${secret}\r\nlast`),
    ),
  'text around a comment of SOAP': (send, name, secret) =>
    send('/iap/ws/RTCService', 'text/xml', soap(`<${name}>ab<!-- c -->${escapeXml(secret)}</${name}>`)),
  'text beside CDATA of SOAP': (send, name, secret) =>
    send('/iap/ws/RTCService', 'text/xml', soap(`<${name}>ab<![CDATA[${secret}]]></${name}>`)),
  'a parameter in an element of SOAP': (send, name, secret) =>
    send('/iap/ws/RTCService', 'text/xml', soap(`<x>${name}=${encodeURIComponent(secret)}</x>`)),
  SOAP: (send, name, secret) => send('/iap/ws/RTCService', 'text/xml', soap(`<${name}>${escapeXml(secret)}</${name}>`)),
  'CDATA of SOAP': (send, name, secret) =>
    send('/iap/ws/RTCService', 'text/xml', soap(`<w:${name} a="b>"><![CDATA[${secret}]]></w:${name}>`)),
  'packed JSON': (send, name, secret) =>
    send(
      '/stg/us/guest/customerFeedback',
      'application/json',
      gzipSync(JSON.stringify({ rating: 5, [name]: secret })),
      {
        'content-encoding': 'gzip',
      },
    ),
}

test.each(Object.keys(spellings))(
  'a case holds nothing that a name tells of passwords and keys, and replays with the same replies: %s',
  async (spelling) => {
    const server = await startServer(readConfig({ PORT: '0' }))
    onTestFinished(() => server.close())
    const { url } = server
    await call(`${url}/_control/recordings`, 'POST', {})
    const send = createSend(url)
    for (const secret of secrets) for (const name of names) await spellings[spelling]!(send, name, secret)
    const text = await (await fetch(`${url}/_control/recordings/current`)).text()
    const steps = text.slice(text.indexOf('\n'))
    const read = [steps, decodeAll(decodeAll(steps.replaceAll('\\"', '"')).replaceAll('+', ' '))]
    for (const [, base64 = ''] of text.matchAll(/"base64":"([^"]*)"/g)) read.push(atob(base64))
    for (const secret of secrets) expect(read.filter((each) => each.includes(secret))).toEqual([])
    expect(text).toContain('purchase-active'.slice(0, spelling.includes('SOAP') ? 15 : 0))
    expect(await replayText(text)).toMatchObject({ same: true })
  },
)

const device = 'aaaaaaaa-0000-4000-8000-000000000001'
const subscription = JSON.stringify({ subscriptionFilters: [{ type: 'DEVICEIDS', value: [device] }] })
const feedback = JSON.stringify({ rating: 5, comment: 'c' })
const subscribe = (send: Send, bearer: string) =>
  send('/subscriptions', 'application/json', subscription, { authorization: `Bearer ${bearer}` })
const sendFeedback = (send: Send, headers: object) =>
  send('/stg/us/guest/customerFeedback', 'application/json', feedback, headers)
const provoke = (send: Send, cookie: string) =>
  send(
    '/_control/faults',
    'application/json',
    JSON.stringify({
      match: { operation: 30 },
      respond: { status: 200, headers: { 'set-cookie': cookie }, body: 'x' },
    }),
  )

const meanings: Record<string, (send: Send, token: string) => Promise<void>> = {
  'a device of the fixtures as a session': async (send) => {
    await send(zip, undefined, undefined, { 'x-session-id': device })
    await subscribe(send, 'token-home')
  },
  'a word of the address as a bearer': (send) => sendFeedback(send, { authorization: 'Bearer customerFeedback' }),
  'a word of the address as a password': (send) =>
    sendFeedback(send, { authorization: `Basic ${btoa('u:customerFeedback')}` }),
  'a word of the address as a token': (send) =>
    sendFeedback(send, { referer: 'https://a.example/?token=customerFeedback' }),
  'the kind of body as a key': (send) => sendFeedback(send, { 'x-api-key': 'application/json' }),
  'an issued token in quotes': async (send, token) => {
    await subscribe(send, token)
    await subscribe(send, `"${token}"`)
    await send(zip, undefined, undefined, { cookie: `sid="${token}"; session=${token}.sig1` })
  },
  'a cookie with attributes': async (send) => {
    await provoke(send, 'sid=short77; Path=/')
    await send(zip)
  },
  'a cookie with attributes close behind it': async (send) => {
    await provoke(send, 'token=longer-than-7;Secure;Path=/')
    await send(zip)
  },
  'control characters': (send) =>
    send('/stg/us/guest/customerFeedback', 'application/json', '{"rating":5,"comment":"c","token":"\\u0001zz99zz99"}'),
}

test.each(Object.keys(meanings))(
  'a case replays with the same replies where a secret reads like something else: %s',
  async (meaning) => {
    const server = await startServer(readConfig({ PORT: '0' }))
    onTestFinished(() => server.close())
    const { url } = server
    await call(`${url}/_control/recordings`, 'POST', {})
    const grant = {
      user: 'u',
      scopes: ['r:devices:*'],
      locations: ['11111111-0000-4000-8000-000000000001'],
      expiresIn: 60,
    }
    const token = String((await call(`${url}/_control/tokens`, 'POST', grant)).json['accessToken'])
    await meanings[meaning]!(createSend(url), token)
    const text = await (await fetch(`${url}/_control/recordings/current`)).text()
    expect(text).not.toContain(token)
    expect(await replayText(text)).toMatchObject({ same: true })
  },
)
