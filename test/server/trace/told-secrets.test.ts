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
    const send: Send = async (path, type, body, headers) => {
      const sent = { ...guest, ...(type !== undefined && { 'content-type': type }), ...headers }
      const init = body === undefined ? {} : { method: 'POST', body }
      await (await fetch(url + path, { ...init, headers: sent })).text()
    }
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
