import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalEntry, VendorProfile } from '../../../src/tools/client/types.ts'
import { listChecks } from '../../../src/tools/examine/scenarios/contents.ts'
import { Transcript } from '../../../src/tools/examine/transcript.ts'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { inProcess, playScenario } from './run.ts'

let server: VendorCloud
beforeAll(async () => {
  server = await startVendorCloud({ settings: { HEARTBEAT_SECONDS: '0.5' } })
})
afterAll(() => server.stop())

type Ask = (path: string, init?: RequestInit) => Promise<Response>

const web = { headers: { 'request-source': 'vendor.com', 'vendorus-profId': 'web-alice' } }
const crash = () => Promise.reject(new Error('dies'))

const AT = Date.parse('2026-05-06T16:00:00Z')

/** Returns a transcript with requests for one operation. They are sent at these seconds after the start. */
function calledAt(operation: string, seconds: readonly number[], code?: string): Transcript {
  return new Transcript(
    seconds.map((second, i) => ({
      id: i + 1,
      at: new Date(AT + second * 1000).toISOString(),
      kind: 'request',
      operation,
      method: 'POST',
      path: '/iap/ws/RTCService',
      ...(code === undefined ? { status: 200 } : { status: 500, response: { body: `<errorCode>${code}</errorCode>` } }),
    })) as JournalEntry[],
  )
}

const every = (pause: number, count: number) => Array.from({ length: count }, (_, i) => i * pause)

test.each<[string, string, Transcript, string]>([
  ['renews-with-an-end', '0.5, 1, 2, 4 s', calledAt('createServiceToken', [0, 0, 0.5, 1.5, 3.5, 7.5]), 'passed'],
  [
    'renews-with-an-end',
    '0.1 s and then twice as long each time',
    calledAt('createServiceToken', [0, 0, 0.1, 0.3, 0.7, 1.5, 3.1]),
    'passed',
  ],
  ['renews-with-an-end', '0.3 s each time', calledAt('createServiceToken', every(0.3, 8)), 'failed'],
  ['does-not-hammer', '0.5, 1, 2 s', calledAt('createServiceToken', [0, 0.5, 1.5, 3.5], '300'), 'passed'],
  ['does-not-hammer', '0.3 s each time', calledAt('createServiceToken', every(0.3, 8), '300'), 'failed'],
  ['does-not-hammer', '0.01 s, 40 times', calledAt('getSubscriptionStatus', every(0.01, 40)), 'failed'],
  ['does-not-hammer', '0.1 s each time', calledAt('getSubscriptionStatus', every(0.1, 40)), 'passed'],
])('the check %s evaluates the pauses of a client that waits %s', (name, _, transcript, expected) => {
  const verdict = listChecks()
    .find((check) => check.name === name)!
    .evaluate(transcript)
  expect(typeof verdict === 'string' ? verdict : 'failed').toBe(expected)
})

const status =
  '<n:getSubscriptionStatus xmlns:n="http://ws.iap.vendor.com/"><purchaseID>purchase-active</purchaseID>' +
  '<serviceToken>none</serviceToken></n:getSubscriptionStatus>'
const soap = (call: string) => ({
  method: 'POST',
  headers: { 'content-type': 'text/xml', soapaction: '""' },
  body: `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${call}</e:Body></e:Envelope>`,
})

test('a client that requests the status without pauses fails the check does-not-hammer', async () => {
  const { checks } = await playScenario(server, 'billing-follow', ({ VENDOR_CLOUD_URL: url }) =>
    inProcess(async () => {
      for (let i = 0; i < 40; i++) await fetch(`${url}/iap/ws/RTCService`, soap(status))
    }),
  )
  expect(checks.find(({ name }) => name === 'does-not-hammer')!.verdict).toBe('failed')
})

test.each<[string, string, VendorProfile | undefined, (ask: Ask) => Promise<unknown>]>([
  [
    'support-book-taken',
    'takes-another-slot',
    { profile: 'theirs', choices: { 'error-shape': 'empty' } },
    (ask) => ask('/stg/us/instore/create', { ...web, method: 'POST', body: '{"ascType":"WALKIN"}' }),
  ],
  [
    'support-http-gzip',
    'support-takes-http-gzip',
    undefined,
    (ask) => ask('/stg/us/guest/zipCode?zipCode=07660', { headers: { ...web.headers, 'accept-encoding': 'identity' } }),
  ],
  [
    'support-json-order',
    'support-takes-json-order',
    { profile: 'theirs', faults: [{ match: { path: '*' }, respond: { status: 503 } }] },
    (ask) => ask('/stg/us/guest/zipCode?zipCode=07660', web),
  ],
])(
  'in scenario %s, check %s is not covered if the client never received the response',
  async (scenario, check, profile, act) => {
    const { checks } = await playScenario(
      server,
      scenario,
      ({ VENDOR_CLOUD_URL: url }) =>
        inProcess(async (signal) => act((path, init) => fetch(url + path, { signal, ...init })).then(crash)),
      { open: (name, seed) => server.world({ name: `${name}-hidden`, seed, ...(profile && { profile }) }) },
    )
    expect(checks.find(({ name }) => name === check)!.verdict).toBe('not covered')
  },
)
