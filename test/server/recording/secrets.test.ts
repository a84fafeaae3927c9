import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { CaseRecorder } from '../../../src/server/recording/recorder.ts'
import { writeWithoutSecrets } from '../../../src/server/recording/secrets.ts'
import { parseCase, type CaseStep, type CaseHeader } from '../../../src/contract/files/case.ts'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'

async function open() {
  const server = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(() => server.close())
  return server
}

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const status = (token: string, declaration = '') =>
  `${declaration}<s:Envelope xmlns:s="${SOAP}"><s:Body><w:getSubscriptionStatus xmlns:w="http://ws.iap.vendor.com/">` +
  `<purchaseID>purchase-active</purchaseID>${token}</w:getSubscriptionStatus></s:Body></s:Envelope>`

function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
}

/** A service token in all spellings that a parser or a person can still read. */
const spellings: Record<string, (token: string) => { body: Buffer; headers?: Record<string, string> }> = {
  plain: (token) => ({ body: Buffer.from(status(`<serviceToken>${token}</serviceToken>`)) }),
  'in CDATA': (token) => ({ body: Buffer.from(status(`<serviceToken><![CDATA[${token}]]></serviceToken>`)) }),
  'after a comment': (token) => ({ body: Buffer.from(status(`<serviceToken><!-- a -->${token}</serviceToken>`)) }),
  'in a comment': (token) => ({ body: Buffer.from(status(`<!-- ${token} --><serviceToken>x</serviceToken>`)) }),
  'after an attribute that contains >': (token) => ({
    body: Buffer.from(status(`<serviceToken a="x>y" b='>'>${token}</serviceToken>`)),
  }),
  'after an encoded =': (token) => ({
    body: Buffer.from(status(`<serviceToken>x</serviceToken><u>https://a/?b%3D${token}</u>`)),
  }),
  'in UTF-16': (token) => ({
    body: utf16(status(`<serviceToken>${token}</serviceToken>`, '<?xml version="1.0" encoding="UTF-16"?>')),
    headers: { 'content-type': 'text/xml; charset=utf-16' },
  }),
  'with gzip': (token) => ({
    body: gzipSync(status(`<serviceToken>${token}</serviceToken>`)),
    headers: { 'content-encoding': 'gzip' },
  }),
  'in UTF-16 with gzip': (token) => ({
    body: gzipSync(utf16(status(`<serviceToken>${token}</serviceToken>`))),
    headers: { 'content-encoding': 'gzip' },
  }),
  'in ISO-8859-1': (token) => ({
    body: Buffer.from(status(`<x>\u00e9</x><serviceToken>${token}</serviceToken>`), 'latin1'),
    headers: { 'content-type': 'text/xml; charset=ISO-8859-1' },
  }),
}

test.each(Object.keys(spellings))(
  'a recording contains no service token issued before or during the recording: %s',
  async (name) => {
    const { url } = await open()
    const soap = async (body: Buffer, headers: Record<string, string> = {}) => {
      const sent = { 'content-type': 'text/xml', ...headers }
      return (
        await fetch(`${url}/iap/ws/RTCService`, { method: 'POST', headers: sent, body: new Uint8Array(body) })
      ).text()
    }
    const issue = async () => {
      const secret = status('').replace(
        /<w:.*<\/w:\w+>/,
        '<w:createServiceToken xmlns:w="http://ws.iap.vendor.com/"><secret>123456789012</secret></w:createServiceToken>',
      )
      return /<output>(\w+)</.exec(await soap(Buffer.from(secret)))![1]!
    }
    const before = await issue()
    await call(`${url}/_control/recordings`, 'POST', {})
    const during = await issue()
    for (const token of [before, during]) {
      const { body, headers } = spellings[name]!(token)
      await soap(body, headers)
    }
    const text = await (await fetch(`${url}/_control/recordings/current`)).text()
    const read = [text, text.replaceAll(/[^A-Za-z0-9]/g, '')]
    for (const [, base64 = ''] of text.matchAll(/"base64":"([^"]*)"/g))
      read.push(Buffer.from(base64, 'base64').toString('latin1'))
    for (const token of [before, during]) expect(read.filter((each) => each.includes(token))).toEqual([])
    expect(await replayText(text)).toMatchObject({ same: true })
  },
)

const visit = {
  ascType: 'WALKIN',
  ascCode: 'ASC001',
  appointmentDate: '2026-05-08',
  startTime: '11:00',
  symptoms: ['IS10'],
  modelCode: 'VM-S100',
  firstName: 'Carol',
  lastName: 'Baker',
  email: 'carol@example.com',
  zipCode: '07660',
}

test('the snapshot in a recording contains no secret from earlier emails, faults or fault names', async () => {
  const { url } = await open()
  const grant = { user: 'alice-home', scopes: ['r:devices:*'], locations: [], expiresIn: 3600 }
  const issue = async () => String((await call(`${url}/_control/tokens`, 'POST', grant)).json['accessToken'])
  const [matched, worded, spoken] = [await issue(), await issue(), await issue()]
  const headers = { 'request-source': 'splus', 'vendorus-GUID': 'splus-carol' }
  await call(`${url}/_control/clock`, 'PUT', { now: '2026-05-06T16:00:00Z', frozen: true })
  const created = await call(`${url}/stg/us/instore/create`, 'POST', visit, headers)
  expect([created.status, created.text]).toEqual([200, expect.stringContaining('srid')])
  const { items } = (await call(`${url}/_control/outbox`, 'GET')).json as { items: { links: { href: string }[] }[] }
  const key = /key=(\w+)/.exec(items[0]!.links[0]!.href)![1]!
  const faults = [
    { match: { operation: 1, header: { authorization: `Bearer ${matched}` } }, respond: { status: 503 } },
    { match: { operation: 2, body: { accessToken: worded, key: 'a-key-of-a-stream' } }, delayMs: 1 },
    { name: `for ${spoken} alone`, match: { operation: 3 }, delayMs: 1 },
  ]
  for (const fault of faults) expect((await call(`${url}/_control/faults`, 'POST', fault)).status).toBe(200)
  await call(`${url}/_control/recordings`, 'POST', {})
  await call(`${url}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, headers)
  const text = await (await fetch(`${url}/_control/recordings/current`)).text()
  const secrets = [key, matched, worded, spoken, 'a-key-of-a-stream']
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a recording ends before its file exceeds the size limit', async () => {
  const { url, worlds } = await open()
  const largest = 200_000
  const recorder = new CaseRecorder(worlds.find('default')!, 'seed', largest)
  const comment = '"\\\n\u00e9'.repeat(400)
  for (let i = 0; i < 100 && recorder.ended === undefined; i++) {
    await call(
      `${url}/stg/us/guest/customerFeedback`,
      'POST',
      { rating: 5, comment },
      { 'request-source': 'vendor.com' },
    )
  }
  expect(recorder.ended).toContain(`${largest} bytes`)
  const bytes = Buffer.byteLength([...recorder.steps()].map((step) => `${JSON.stringify(step)}\n`).join(''))
  expect(bytes).toBeLessThanOrEqual(largest)
  expect(bytes).toBeGreaterThan(largest / 2)
})

const header = (snapshot: object): Omit<CaseHeader, 'tokens'> => ({
  case: 2,
  version: 'test',
  world: 'w',
  start: '2026-05-06T16:00:00.000Z',
  seed: 's',
  head: 0,
  snapshot: snapshot as CaseHeader['snapshot'],
})

test('writing a long recording with thousands of tokens reads each step only twice', async () => {
  const tokens = Array.from({ length: 2000 }, (_, i) => `token-${String(i).padStart(90, 'x')}`)
  const call = { method: 'GET', path: '/stg/us/guest/zipCode', headers: { authorization: `Bearer ${tokens[0]}` } }
  let made = 0
  const steps: Iterable<CaseStep> = {
    *[Symbol.iterator]() {
      for (let i = 0; i < 500; i++) {
        made++
        const body = `${tokens[i * 4]} ${'a text of some length '.repeat(100)}`
        yield { step: i + 1, at: '2026-05-06T16:00:00.000Z', call, reply: { status: 200, body } }
      }
    },
  }
  let text = ''
  const known = {
    digests: { sha256: (each: string) => each, hmac: () => new Uint8Array(16) },
    published: new Set<string>(),
    issued: tokens,
  }
  for await (const part of writeWithoutSecrets(header({ records: { customers: [{}, {}, {}] } }), steps, known))
    text += part
  expect(made).toBe(1000)
  expect(tokens.filter((token) => text.includes(token))).toEqual([])
  expect(parseCase(text).steps).toHaveLength(500)
})
