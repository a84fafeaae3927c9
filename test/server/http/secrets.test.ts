import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'

/** Runs `ask` with a server that logs at its most verbose level. Returns everything that the server logs. */
async function logOf(ask: (app: ReturnType<typeof buildApp>) => Promise<void>): Promise<string> {
  const { worlds } = buildTestApp()
  let written = ''
  const destination = {
    write(line: string) {
      written += line
    },
  }
  const logger = pino({ level: 'trace' }, destination)
  const app = buildApp({ worlds, logger, control: { open: true, worlds, jobs: createJobQueue(), version: 'test' } })
  onTestFinished(() => app.close())
  await ask(app)
  return written
}

const CANARY = 'canary-0123456789abcdef'
const soap = (operation: string, inputs: string) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="http://ws.iap.vendor.com/"><e:Body>` +
  `<w:${operation}>${inputs}</w:${operation}></e:Body></e:Envelope>`
const post = (url: string, payload: string | object, headers: Record<string, string> = {}) =>
  ({ method: 'POST', url, payload, headers }) as const

test('the log contains no secret from an accepted or rejected request', async () => {
  const web = { 'request-source': 'vendor.com' }
  const zip = '/stg/us/guest/zipCode?zipCode=07660'
  const xml = { 'content-type': 'text/xml' }
  const requests = [
    { url: zip, headers: { ...web, 'vendorus-profId': CANARY } },
    { url: zip, headers: { 'request-source': 'splus', 'vendorus-GUID': CANARY } },
    { url: zip, headers: { ...web, cookie: `vendorus-profId=${CANARY}` } },
    { url: '/subscriptions/x', headers: { authorization: `Bearer ${CANARY}` } },
    { url: '/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET', headers: { partnercode: CANARY } },
    { url: `/filters/x/activate?filterRegion=local&key=${CANARY}` },
    { url: `/cancel?srid=1&key=${CANARY}` },
    { url: `/nowhere/${CANARY}?token=${CANARY}` },
    { url: '/_control/clock', headers: { 'x-control-key': CANARY } },
    { method: 'DELETE', url: `/_control/tokens/${CANARY}` } as const,
    { url: `/_control/records/sellers/${CANARY}` },
    { method: 'PUT', url: `/_control/records/sellers/${CANARY}`, payload: { secret: '1' } } as const,
    post('/iap/ws/RTCService', soap('createServiceToken', `<secret>${CANARY}</secret>`), xml),
    post(
      '/iap/ws/RTCService',
      soap('getSubscriptionStatus', `<purchaseID>p</purchaseID><serviceToken>${CANARY}</serviceToken>`),
      xml,
    ),
    post('/stg/us/guest/serviceRequest/asset/symptomImage?srid=1', `--b\r\n\r\n--b--`, {
      ...web,
      'content-type': 'multipart/form-data; boundary=b',
      cookie: `vendorus-profId=${CANARY}`,
    }),
    post('/_control/purchases', { sellerSecret: CANARY }),
    post('/_control/purchases', `{"sellerSecret": "${CANARY}`),
  ]
  const written = await logOf(async (app) => {
    for (const request of requests) await app.inject(request)
  })
  expect(written.split('\n').length).toBeGreaterThan(requests.length)
  expect(written).not.toContain(CANARY)
})

test('the log contains no token that was returned in a response', async () => {
  const tokens: string[] = []
  const written = await logOf(async (app) => {
    const request = { user: 'u', scopes: [], locations: [], expiresIn: 60 }
    tokens.push((await app.inject(post('/_control/tokens', request))).json().accessToken)
    const billing = soap('createServiceToken', '<secret>123456789012</secret>')
    const reply = await app.inject(post('/iap/ws/RTCService', billing, { 'content-type': 'text/xml' }))
    tokens.push(/<output>(\w{96})</.exec(reply.payload)![1]!)
    const home = { authorization: 'Bearer token-home' }
    const subscription = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
    const { registrationUrl } = (await app.inject(post('/subscriptions', subscription, home))).json()
    tokens.push(/key=([\w-]+)/.exec(registrationUrl)![1]!)
    const stream = (await listen(app)) + registrationUrl.replace(/^https?:\/\/[^/]+/, '')
    await fetch(stream, { method: 'HEAD' })
    await (await openStream(stream)).next()
  })
  for (const token of tokens) expect(written).not.toContain(token)
  expect(written).toContain('"operation":"stream"')
  expect(written).not.toContain('already sent')
})

test('the log redacts only request IDs that are secrets', async () => {
  const own = [
    '0123456789abcdef0123456789abcdef',
    'order-1',
    '0b9f9c4e-5a0e-4a55-9d4f-2f2f7a3f1c11',
    '01J8Z3N5Y7QK4M6W8X2R9T1V3B',
  ]
  const issued: string[] = []
  const written = await logOf(async (app) => {
    const request = { user: 'u', scopes: [], locations: [], expiresIn: 60 }
    const { accessToken } = (await app.inject(post('/_control/tokens', request))).json()
    const billing = soap('createServiceToken', '<secret>123456789012</secret>')
    const service = (await app.inject(post('/iap/ws/RTCService', billing, { 'content-type': 'text/xml' }))).payload
    const home = { authorization: 'Bearer token-home' }
    const subscription = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
    const { registrationUrl } = (await app.inject(post('/subscriptions', subscription, home))).json()
    issued.push(accessToken, /key=([\w-]+)/.exec(registrationUrl)![1]!, /<output>(\w{64})/.exec(service)![1]!)
    for (const id of [...issued, `Bearer.${accessToken}`, ...own]) {
      await app.inject({ url: '/stg/us/guest/zipCode', headers: { 'x-request-id': id } })
    }
  })
  for (const secret of issued) {
    expect(written).not.toContain(secret)
    expect(written).toContain(`"reqId":"${secret.slice(0, 6)}[redacted]"`)
  }
  for (const id of own) expect(written).toContain(`"reqId":"${id}"`)
})

test('a header named constructor is recorded in the journal unchanged', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  await fetch(`${address}/stg/us/guest/zipCode`, { headers: { constructor: 'mine' } })
  const { entries } = (await app.inject('/_control/journal')).json()
  expect(entries[0].request.headers.constructor).toBe('mine')
})
