import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { rules } from '../../src/contract/rules.ts'
import { asErin, asGuest, asWeb, buildTestApp } from '../helpers/build-test-app.ts'
import { citedRules } from '../helpers/documents/cited-rules.ts'
import { call, SOAP } from '../helpers/documents/soap.ts'
import { multipartType, newForm, newImageForm } from '../helpers/documents/multipart.ts'

const SRC = join(import.meta.dirname, '../../src')
const page = readFileSync(join(import.meta.dirname, '../../docs/rules.md'), 'utf8')
const source = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(contract|server)\/.*\.ts$/.test(file) && file !== 'contract/rules.ts')
  .map((file) => readFileSync(join(SRC, file), 'utf8'))
  .join('\n')

/** All rules of the documents, and those of our choices that the code cites. */
const citable = Object.keys(rules).filter(
  (id) => id.includes(' ') || new RegExp(`our choice: ${id}\\b(?!-)|choice: '${id}'|[?:] '${id}'`).test(source),
)
const cite = (id: string) => (id.includes(' ') ? id : `our choice: ${id}`)

type Request = InjectOptions & { url: string }

const us = (path: string, headers: object = asErin()): Request => ({ url: `/stg/us/${path}`, headers: { ...headers } })
const send = (path: string, payload: unknown, headers: object = asErin(), method: 'POST' | 'PUT' | 'DELETE' = 'POST') =>
  ({ method, url: path.startsWith('/') ? path : `/stg/us/${path}`, headers, payload }) as Request
const control = (path: string, payload?: unknown, method: 'POST' | 'PUT' | 'DELETE' | 'GET' = 'POST') =>
  ({ method, url: `/_control/${path}`, ...(payload !== undefined && { payload }) }) as Request
const soap = (payload: string): Request => ({
  method: 'POST',
  url: '/iap/ws/RTCService',
  headers: { 'content-type': 'text/xml' },
  payload,
})
const bearer = (token = 'token-home') => ({ authorization: `Bearer ${token}` })
const wallet = (query: string, partnercode = 'partner-1001'): Request => ({
  url: `/wallet/cmn/v2.0/device/available?${query}`,
  headers: { partnercode },
})
const filters = (type: string, value: unknown = ['nope']) => ({ subscriptionFilters: [{ type, value }] })
const product = { modelCode: 'VM-TV55', serialNumber: '0TV55XYZ12A', serviceType: 'IH' }
const inStore = {
  ascType: 'WALKIN',
  ascCode: 'ASC001',
  appointmentDate: '2026-05-08',
  startTime: '09:00',
  symptoms: ['IS01'],
  firstName: 'A',
  lastName: 'B',
  email: 'a@example.com',
  zipCode: '07660',
}
const customer = {
  firstName: 'A',
  lastName: 'B',
  email: 'a@example.com',
  phoneNumber: '201-555-0143',
  address1: '1 Main Street',
  city: 'Ridgefield Park',
  state: 'NY',
  zipCode: '07660',
}

const ticket = {
  bpNo: '1000000001',
  modelCode: 'VM-NONE',
  serialNumber: '0TV55NEW01B',
  serviceType: 'IH',
  symCode1: 'TV1',
  symCode2: 'TV11',
  symCode3: 'TV111',
  problemDescription: 'The picture flickers.',
  ascCode: 'ASC001',
  appointmentDate: '2026-05-08',
  timeSlot: 'x',
}
const image = 'guest/serviceRequest/asset/symptomImage'
const form = { ...asGuest(), 'content-type': multipartType }

/**
 * Each of these requests must be rejected. Together, their errors must cite every rule that a single request can
 * violate.
 */
const requests: readonly Request[] = [
  us('guest/zipCode', {}),
  us('guest/zipCode', { 'request-source': 'x' }),
  us('guest/zipCode'),
  us('guest/zipCode?zipCode=1'),
  us('guest/zipCode?zipCode=07660-1234'),
  us('guest/zipCode?zipCode=00000'),
  us('guest/zipCode?zipCode=1&zipCode=2'),
  us('contact/reason', asGuest()),
  us('contact/reason/fields', asWeb('web-alice')),
  us('guest/zipCode?zipCode=07660', asWeb('ü')),
  us('guest/zipCode?zipCode=07660', { 'request-source': 'splus,splus' }),
  us('dealer/tickets', asWeb('nobody')),
  us('dealer/tickets', asWeb('web-alice')),
  us('dealer/tickets?limit=500'),
  us('dealer/tickets?limit=x'),
  us('dealer/tickets?offset=-1'),
  us('dealer/tickets/1'),
  us('dealer/stores?sort.field=x'),
  us('dealer/stores?pageNo=x'),
  us('dealer/stores?fields=nope'),
  us('dealer/schedule?zipCode=00000'),
  us('dealer/schedule?type=x'),
  us('guest/symptom'),
  us('guest/symptom?subType=NONE'),
  us('dealer/customers?firstName=Nobody'),
  us('guest/product/validation/ZZZZZZZZZZ9'),
  send('guest/product/validation?prdId=0TV55XYZ12A&modelCode=VM-TV55&email=x', undefined),
  send('guest/product/validation', undefined),
  us('guest/symptom/changeColor?modelCode=NOPE'),
  us('instore/noauth/slots'),
  us('instore/noauth/slots?ascType=OTHER&ascCode=ASC001'),
  us('instore/noauth/slots?ascType=WALKIN&ascCode=NOPE'),
  us('instore/noauth/slots?ascType=WALKIN&ascCode=ASC001&start=2026-06-01&end=2026-05-01'),
  us('instore/noauth/slots?ascType=WALKIN&ascCode=ASC001&zipCode=00000'),
  us('instore/noauth/nearest?zipCode=00000'),
  us('instore/noauth/taxonomy?upperTaxonomyCode=NOPE'),
  send('instore/noauth/emailcancel', undefined, asGuest(), 'DELETE'),
  send('instore/noauth/emailcancel?srid=1000000001&key=x', undefined, asGuest(), 'DELETE'),
  send('instore/cancel', undefined, asWeb('web-alice'), 'DELETE'),
  send('instore/cancel?srid=1', undefined, asWeb('web-alice'), 'DELETE'),
  send('instore/cancel?srid=1000000001', undefined, asWeb('web-alice'), 'DELETE'),
  us('instore/checkmobile', asWeb('nobody')),
  send('instore/create', {}, asWeb('web-alice')),
  send('instore/create', { ...inStore, modelCode: 'VM-NONE' }, asWeb('web-alice')),
  send('instore/create', { ...inStore, modelCode: 'VM-S100' }, asWeb('web-bob')),
  send('instore/create', { ...inStore, modelCode: 'VM-S100', imei: 'x' }, asWeb('web-alice')),
  send('instore/create', { ...inStore, modelCode: 'VM-TV55', imei: '490154203237518' }, asWeb('web-alice')),
  send('instore/create', { ...inStore, modelCode: 'VM-WM90' }, asWeb('web-alice')),
  send('instore/create', { ...inStore, modelCode: 'VM-S100', appointmentDate: '2027-05-08' }, asWeb('web-alice')),
  send('instore/create', { ...inStore, modelCode: 'VM-S100', startTime: '03:00' }, asWeb('web-alice')),
  send('customerFeedback', undefined, asWeb('web-alice')),
  send('customerFeedback', { rating: 9, comment: ' ' }, asWeb('web-alice')),
  send('customerFeedback', '{', { ...asWeb('web-alice'), 'content-type': 'application/json' }),
  send('customerFeedback', `"${'['.repeat(9)}`, { ...asWeb('web-alice'), 'content-type': 'text/plain' }),
  send('customerFeedback', { list: Array.from({ length: 20_000 }, () => 1) }, asWeb('web-alice')),
  send('dealer/customers', customer),
  send('dealer/customers', { ...customer, email: 'x' }),
  send('dealer/customers/1000000001', { firstName: null }),
  send('dealer/customers/1000000001', { ...customer, state: 'NJ', bpNo: '1000000002' }),
  ...['customers', 'customers/ticket', 'customers/ticket/reschedule', 'customers/1000000001'].map((path) =>
    send(`dealer/${path}`, undefined),
  ),
  us('dealer/customers/1000000001/product?modelCode=NOPE'),
  send('dealer/customers/1000000001/products', undefined),
  send('dealer/customers/1000000001/products', { ...product, modelCode: 'VM-NONE' }),
  send('dealer/customers/1000000001/products', { ...product, purchaseDate: '1900-01-01' }),
  send('dealer/dispute', {}),
  send('dealer/dispute', {
    bpNo: '1000000001',
    modelCode: 'VM-TV55',
    serial: '0TV55XYZ12A',
    receiptFileKey: 'nope',
    purchaseDate: '2026-01-01',
  }),
  send('dealer/customers/ticket', ticket),
  send('dealer/customers/ticket', { ...ticket, modelCode: 'VM-TV55', symCode3: 'NOPE' }),
  send(`${image}?srid=1000000001`, newImageForm(Buffer.alloc(9)), form),
  send(`${image}?srid=1000000001`, newImageForm(), form),
  send(`${image}?srid=1000000001`, newForm([]), form),
  send(`${image}?srid=1000000001`, newForm([{ fileName: 'a.png', name: 'other', content: 'x' }]), form),
  us('guest/troubleshooting?modelCode=NOPE', asGuest()),
  us('guest/troubleshooting?modelCode=VM-TV55&symCode1=NOPE', asGuest()),
  us('guest/troubleshooting', asGuest()),
  us('dealer/troubleshooting'),
  us('nothing'),
  { url: '/docs/nothing.md' },
  { url: '/openapi/events.json?version=9' },
  send('/subscriptions', {}, {}),
  send('/subscriptions', {}, bearer('nope')),
  send('/subscriptions', undefined, bearer()),
  send('/subscriptions', filters('X', 1), bearer()),
  send('/subscriptions', { subscriptionFilters: [] }, bearer()),
  send('/subscriptions', filters('DEVICEIDS'), bearer()),
  { url: '/subscriptions/0b8f4f0e-5d0a-4c62-9f0e-3c1f7a4f2b11', headers: bearer() },
  { url: '/filters/0b8f4f0e-5d0a-4c62-9f0e-3c1f7a4f2b11/activate' },
  wallet(''),
  wallet(`modelName=${'x'.repeat(99)}&serviceType=WALLET`),
  wallet('modelName=a&serviceType=WALLET', 'nope'),
  wallet('modelName=a&serviceType=WALLET&countryCode=xx'),
  soap(''),
  soap('<a'),
  soap('<a/>'),
  { ...soap('<a/>'), headers: { 'content-type': 'text/xml; charset=latin1' } },
  soap('<!DOCTYPE a><a/>'),
  soap(call('createServiceToken', {}).replace(SOAP, 'urn:x')),
  soap(
    `<e:Envelope xmlns:e="${SOAP}"><e:Header><x e:mustUnderstand="1"/></e:Header><e:Body><a/></e:Body></e:Envelope>`,
  ),
  soap(call('createServiceToken', {})),
  soap(call('createServiceToken', { secret: '<a/>' })),
  { ...soap(''), headers: { 'content-type': 'application/json' } },
  control('clock/advance', { nope: 1 }),
  control('journal/verify', { match: { operation: 99 } }),
  control('clock', { now: '9999-01-01T00:00:00Z' }, 'PUT'),
  { url: '/_control/status', headers: { host: 'evil.example' } },
  control('clock', { now: '1970-01-01T00:00:00Z' }, 'PUT'),
  control('worlds', { name: 'default' }),
  control('worlds', { name: 'a', from: 'nope' }),
  control('faults', { match: { operation: 99 } }),
  control('faults', { match: { operation: 30 }, respond: { fault: 15 } }),
  control('faults/nope', undefined, 'DELETE'),
  control('records/nope', undefined, 'GET'),
  control('examination', undefined, 'GET'),
  control('scenarios', { steps: [], repeat: true }),
  control('scenarios/nope', undefined, 'DELETE'),
  control('wallet/certificates', { request: 'x' }),
  control('wallet/check', { barcode: {}, locations: [{}], additionalInformation: [], classification: [] }),
  control('wallet/check', {
    barcode: { serialType: 'NOPE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '1' },
    locations: [{ name: 'a', lat: 1, lng: 999, nope: 1 }],
    additionalInformation: { count: 1, info: [{ title: 'x'.repeat(500), content: ['a'] }] },
    classification: { person: [{ category: 'Adult' }] },
  }),
  control('wallet/check', {
    barcode: { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '1' },
  }),
  control('devices/aaaaaaaa-0000-4000-8000-000000000001/events', { capability: 'x', attribute: 'y', value: 1 }),
  { method: 'PUT', url: '/_control/snapshot', payload: '{"snapshot":1}\n{"nope":1}' },
]

/** Testing these rules needs time, load, several connections, or a state that other tests create. */
const elsewhere: Readonly<Record<string, string>> = {
  'cors-origins': 'http/limits.test.ts',
  'header-count': 'http/hostile-requests.test.ts',
  'session-lifetime': 'control/choices/sessions.test.ts',
  'ticket-statuses': 'control/tickets/ticket-progress.test.ts',
  'card-warnings': 'domain/wallet/card-details.test.ts',
  'signing-requests': '../citations.test.ts',
  'stream-access': 'events/access.test.ts',
  'one-stream': 'events/one-stream.test.ts',
  'image-owners': 'support/symptom-images.test.ts',
  'ended-worlds': 'control/worlds.test.ts',
  'heavy-jobs': 'adapters/job-queue.test.ts',
  disputes: 'support/dealer/disputes.test.ts',
  'ticket-product': 'support/dealer/ticket-creation.test.ts',
  'out-of-warranty': 'support/bookable.test.ts',
  'lead-time': 'support/bookable.test.ts',
  'ticket-windows': 'support/bookable.test.ts',
  holidays: 'support/bookable.test.ts',
  'no-open-ticket': 'support/dealer/ticket-appointments.test.ts',
  'no-in-store-request': 'support/in-store/detail.test.ts',
  'reschedule-out-of-warranty': 'support/bookable.test.ts',
  reschedule: 'support/dealer/ticket-appointments.test.ts',
  'booking-overlap': 'support/dealer/ticket-creation.test.ts',
  'document 2, section 2, barcode display types': 'domain/wallet/card-barcodes.test.ts',
  'document 2, section 8': 'events/one-stream.test.ts',
  'document 3, section 5, rule 3': 'billing/service-tokens.test.ts',
}

/** No error cites this rule, because operation 38 accepts all values. */
const NEVER = 'document 1, operation 38'

test('the sample requests and the listed tests cite every rule that an error can cite', async () => {
  const { app } = buildTestApp()
  const seen = new Set<string>()
  const read = async (request: Request) => {
    const reply = await app.inject(request)
    for (const rule of citedRules(reply)) seen.add(rule)
    return reply
  }
  for (const request of requests) await read(request)
  const location = '11111111-0000-4000-8000-000000000001'
  const token = { user: 'alice-home', scopes: ['r:locations:*'], locations: [location], expiresIn: 3600 }
  const { accessToken } = (await read(control('tokens', token))).json()
  await read(send('/subscriptions', filters('DEVICEIDS'), bearer(accessToken)))
  for (const _ of [1, 2]) await read(control('purchases/purchase-active/cancel', { reason: '1' }))
  const rejecting = control('profile', { profile: 'own', choices: { 'unusable-values': 'reject' } }, 'PUT')
  for (const request of [rejecting, ...requests]) await read(request)
  for (const [choices, request] of [
    [{ 'base-path': 'with' }, us('guest/zipCode?zipCode=07660', asGuest())],
    [{ 'guest-identity': 'required' }, us('guest/zipCode?zipCode=07660', asGuest())],
    [{ 'subscription-limit': 1 }, send('/subscriptions', filters('LOCATIONIDS', ['ALL']), bearer())],
    [{ 'rate-limit': { requests: 1, per: 'PT1M' } }, us('guest/zipCode?zipCode=07660', asGuest())],
  ] as const) {
    await read(control('profile', { profile: 'own', choices }, 'PUT'))
    for (const _ of [1, 2]) await read(request)
  }
  await read(control('profile', undefined, 'DELETE'))
  await read(control('clock', { now: '8999-01-01T00:00:00Z' }, 'PUT'))
  await read(control('clock/advance', { duration: 'P999Y' }))
  await read(control('recordings', {}))
  await read(control('worlds', { name: 'past', from: 'default', at: 99 }))
  const missing = citable.filter((id) => !seen.has(cite(id)) && !(id in elsewhere) && id !== NEVER)
  expect(missing).toEqual([])
  for (const rule of seen) expect(page).toContain(`\n### ${rule.replace('our choice: ', '')}\n`)
})

test('every rule that names an error status is cited or applies to all errors', () => {
  const general = [
    'all-findings',
    'challenges',
    'check-order',
    'fault-kind-status',
    'impossible-filters',
    'no-device-id',
    'unusable-values',
    'undeclared-statuses',
  ]
  const names = Object.entries(rules).filter(([, { sentence }]) => /\b(?:4\d\d|503)\b/.test(sentence))
  expect(names.map(([id]) => id).filter((id) => !citable.includes(id))).toEqual(expect.arrayContaining(general))
  expect(names.map(([id]) => id).filter((id) => !citable.includes(id) && !general.includes(id))).toEqual([])
})

test.each(Object.entries(elsewhere))('the named test file expects the error that cites %s', (id, file) => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  expect([file, text.includes(`'${cite(id)}'`)]).toEqual([file, true])
})
