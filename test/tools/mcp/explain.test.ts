import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { type CallInput, toCall } from '../../../src/tools/mcp/calls/call.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import { explainCall, explainEntry } from '../../../src/tools/mcp/explain/explain.ts'
import { rules } from '../../../src/contract/rules.ts'
import { booking } from '../../helpers/bookings.ts'
import { openWednesday, repeat } from './explained-calls.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'explain' })
})
afterAll(() => cloud.stop())

const openWorld = () => openWednesday(cloud)

const inStore = {
  ascType: 'WALKIN',
  ascCode: 'ASC001',
  appointmentDate: '2026-05-08',
  startTime: '10:00',
  symptoms: ['IS01'],
  modelCode: 'VM-S100',
  firstName: 'Bob',
  lastName: 'Ortiz',
  email: 'bob@example.com',
  zipCode: '07660',
  mobilePhone: '201-555-0143',
}
const allLocations = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
const token = 'A'.repeat(96)

/** Refused calls, the place of the rule, and a word of what is changed. */
const refusals: [what: string, call: CallInput, source: string, changed: RegExp][] = [
  [
    'an unknown slot',
    { operation: 8, body: { ...booking, timeSlot: 'never' } },
    'our choice: slot-unavailable',
    /20260508-AM/,
  ],
  [
    'a window far ahead',
    { operation: 8, body: { ...booking, timeSlot: 'x', appointmentDate: '2027-01-01' } },
    'our choice: slot-unavailable',
    /next free slot/,
  ],
  [
    'a visit in the night',
    { operation: 33, as: 'web-bob', body: { ...inStore, startTime: '03:00' } },
    'our choice: slot-unavailable',
    /2026-05-08 at 09:00/,
  ],
  [
    'a word in the wrong case',
    { operation: 8, body: { ...booking, serviceType: 'ih' } },
    'our choice: field-forms',
    /serviceType is "IH"/,
  ],
  [
    'a value that is none',
    { operation: 19, query: { statusList: ['E0009'] } },
    'document 1, section 4, ticket list',
    /E000[123]/,
  ],
  ['a number out of bounds', { operation: 19, query: { limit: 1000 } }, 'our choice: page-max', /limit is 100/],
  [
    'a misspelt parameter',
    { operation: 30, query: { zipcode: '07660' } },
    'our choice: required-bodies',
    /spelt zipCode/,
  ],
  ['5+4 digits', { operation: 30, query: { zipCode: '07660-1234' } }, 'our choice: zip-plus-four', /07660/],
  ['nobody who calls', { operation: 19, as: 'none' }, 'document 1, section 4, common request headers', /dealer-erin/],
  ['a user where a dealer calls', { operation: 19, as: 'web-alice' }, 'our choice: dealer-company', /dealer/],
  [
    'no origin',
    { operation: 30, query: { zipCode: '07660' }, headers: { 'request-source': '' } },
    'document 1, section 4, common request headers',
    /vendor\.com/,
  ],
  [
    'another company',
    { operation: 8, body: { ...booking, companyId: 'C200' } },
    'our choice: dealer-company',
    /companyId is left out/,
  ],
  [
    "another company's customer",
    { operation: 8, body: { ...booking, bpNo: '2000000001' } },
    'our choice: foreign-is-unknown',
    /1000000001/,
  ],
  [
    'an unknown ticket',
    { operation: 20, params: { id: '4100000018' } },
    'our choice: foreign-is-unknown',
    /4100000017/,
  ],
  [
    'an unknown model',
    { operation: 8, body: { ...booking, modelCode: 'VM-TV5' } },
    'our choice: ticket-references',
    /VM-TV55/,
  ],
  [
    'a centre that does not come',
    { operation: 8, body: { ...booking, ascCode: 'ASC009' } },
    'our choice: ticket-references',
    /ASC001/,
  ],
  ['an unknown centre', { operation: 16, query: { ascCode: 'ASC999' } }, 'document 1, operations 16 and 25', /ascCode/],
  [
    'a symptom out of its place',
    { operation: 8, body: { ...booking, symCode2: 'WM11' } },
    'our choice: ticket-references',
    /TV11/,
  ],
  [
    'a text that is too long',
    { operation: 8, body: { ...booking, problemDescription: 'y'.repeat(2000) } },
    'our choice: field-forms',
    /1002 characters/,
  ],
  [
    'no mobile number',
    { operation: 33, as: 'web-bob', body: { ...inStore, mobilePhone: undefined } },
    'document 1, section 4, rule 2',
    /mobilePhone/,
  ],
  [
    "another user's request",
    { operation: 34, as: 'web-bob', query: { srid: '13413' } },
    'our choice: field-forms',
    /srid/,
  ],
  ['a missing subType', { operation: 27 }, 'document 1, section 4, symptom tree, rule 1', /subType/],
  [
    'an unknown symptom',
    { operation: 29, query: { modelCode: 'VM-TV55', symCode3: 'TV999' } },
    'our choice: symptom-levels',
    /symCode3/,
  ],
  ['no profile', { operation: 32, as: 'nobody' }, 'document 1, section 7', /web-/],
  ['an unknown device', { operation: 24, params: { deviceId: 'x' } }, 'document 1, operation 24', /deviceId/],
  ['an empty dispute', { operation: 15, body: {} }, 'document 1, section 2', /receiptFileKey/],
  [
    'a body that is no JSON',
    { operation: 8, headers: { 'content-type': 'application/json' }, body: '{' },
    'our choice: json-bodies',
    /example/,
  ],
  [
    'no bearer',
    { operation: 'createSubscription', as: 'none', body: allLocations },
    'document 2, section 5, rule 1',
    /token-home/,
  ],
  [
    'a token that is over',
    { operation: 'createSubscription', as: 'token-expired', body: allLocations },
    'our choice: subscription-statuses',
    /token-home/,
  ],
  [
    'a token without scopes',
    { operation: 'createSubscription', as: 'token-guest', body: allLocations },
    'document 2, section 5, rule 2',
    /token-home/,
  ],
  [
    "another user's device",
    {
      operation: 'createSubscription',
      body: { subscriptionFilters: [{ type: 'DEVICEIDS', value: ['bbbbbbbb-0000-4000-8000-000000000001'] }] },
    },
    'our choice: subscription-ids',
    /aaaaaaaa/,
  ],
  [
    'a filter of no type',
    { operation: 'createSubscription', body: { subscriptionFilters: [{ type: 'LOCATION', value: ['ALL'] }] } },
    'document 2, section 2',
    /LOCATIONIDS/,
  ],
  [
    'a missing parameter of the wallet',
    { operation: 'checkAvailability', query: { modelName: 'VM-S100' } },
    'document 2, section 7',
    /WALLET/,
  ],
  [
    'a country that is none',
    { operation: 'checkAvailability', query: { modelName: 'VM-S100', serviceType: 'WALLET', countryCode: 'us' } },
    'our choice: wallet-order',
    /US/,
  ],
  [
    'an unknown partner',
    { operation: 'checkAvailability', as: 'nobody', query: { modelName: 'VM-S100', serviceType: 'WALLET' } },
    'our choice: wallet-order',
    /partner-1001/,
  ],
  [
    'a secret that is none',
    { operation: 'createServiceToken', body: { secret: '12345678901x' } },
    'document 3, section 7',
    /123456789012/,
  ],
]

test.each(refusals)(
  '%s is explained by its rule, and the call that is told passes in the world itself',
  async (_, call, source, changed) => {
    const world = await openWorld()
    const explanation = await explainCall(world, call)
    expect(explanation.reasons.map((reason) => reason.source)).toContain(source)
    expect(explanation.nearest?.changes.join('; ')).toMatch(changed)
    expect(await repeat(world, explanation)).toBeLessThan(400)
  },
)

/** Calls that another has to precede. */
const preceded: [what: string, call: CallInput, first: string][] = [
  [
    'an unknown service token',
    { operation: 'getSubscriptionStatus', body: { purchaseID: 'purchase-active', serviceToken: token } },
    'createServiceToken',
  ],
  [
    'no service token, for a purchase that is misspelt',
    { operation: 'getSubscriptionStatus', body: { purchaseID: 'purchase-activ' } },
    'createServiceToken',
  ],
  ['a message that is no SOAP', { operation: 'getSubscriptionStatus', body: '<a/>' }, 'createServiceToken'],
  ['an unknown subscription', { operation: 'getSubscription', params: { subscriptionId: 'x' } }, 'createSubscription'],
  ['a second open request', { operation: 33, as: 'web-zoe-solano', body: inStore }, '31'],
]

test.each(preceded)('of %s the call is told that has to come first', async (_, call, first) => {
  const { first: before = [], nearest } = await explainCall(await openWorld(), call)
  expect(before.map((each) => String(each.call.operation))).toEqual([first])
  expect(nearest?.status).toBe(200)
  // A value of the fork is none of the world's.
  if (nearest?.call.body && first === 'createServiceToken') {
    expect(nearest.call.body).toMatchObject({ serviceToken: '{{output of createServiceToken}}' })
  }
})

test('an expired service token is explained by document 3, section 5: a new token comes first', async () => {
  const world = await openWorld()
  const { body } = await send(world, toCall({ operation: 'createServiceToken', body: { secret: '123456789012' } }))
  const [, serviceToken = ''] = /<output[^>]*>([^<]+)/.exec(String(body)) ?? []
  await world.clock.advance('P31D')
  const call = { operation: 'getSubscriptionStatus', body: { purchaseID: 'purchase-active', serviceToken } }
  const { entry } = await send(world, toCall(call))
  const explanation = await explainEntry(world, entry!.id)
  expect(explanation.reasons).toMatchObject([
    { code: '301', source: 'document 3, section 5, rule 3', sentence: 'A token is valid for 30 days.' },
  ])
  expect(explanation.first).toMatchObject([{ call: { operation: 'createServiceToken' } }])
})

test('a full window is explained by the next free one, and nothing of the world changes', async () => {
  const world = await openWorld()
  const center = await world.records.get<{ inHome: object }>('serviceCenters', 'ASC001')
  await world.records.put('serviceCenters', 'ASC001', {
    ...center,
    inHome: { ...center.inHome, capacity: { AM: 1, PM: 30 } },
  })
  const customers = ['1000000002', '1000000003'].map((bpNo) => ({ bpNo, zipCode: '07660', state: 'NJ' }))
  for (const { bpNo, ...place } of customers) {
    await world.records.put('customers', bpNo, {
      ...(await world.records.get('customers', bpNo)),
      ...place,
      zip5: '07660',
    })
  }
  await send(world, toCall({ operation: 8, body: { ...booking, bpNo: '1000000002' } }))
  const refused = await send(world, toCall({ operation: 8, body: { ...booking, bpNo: '1000000003' } }))
  expect(refused.entry?.why?.code).toBe('SlotUnavailable')
  const before = [await world.snapshot(), (await cloud.worlds()).totalCount, await world.journal()]
  const explanation = await explainEntry(world, refused.entry!.id)
  expect(explanation.nearest?.changes).toEqual([expect.stringContaining('ASC001-IH-20260508-PM')])
  expect([await world.snapshot(), (await cloud.worlds()).totalCount, await world.journal()]).toEqual(before)
  expect(await repeat(world, explanation)).toBe(200)
})

test('a call is read from its address too, as calls are shown', () => {
  const { operation, params, query } = toCall({ operation: 'GET /stg/us/dealer/tickets/4100000017?a=1&b=2&b=3' })
  expect([operation?.operation, params, query]).toEqual([20, { id: '4100000017' }, { a: '1', b: ['2', '3'] }])
})

test('a path and a method that are unknown are told by the operation that was meant', async () => {
  const world = await openWorld()
  const { headers } = toCall({ operation: 19 })
  await world.fetch('/stg/us/dealer/ticket', { headers })
  await world.fetch('/stg/us/guest/zipCode?zipCode=07660', { method: 'PUT', headers })
  const [method, path] = await world.journal()
  expect((await explainEntry(world, path!.id)).nearest?.call).toMatchObject({ operation: 19 })
  expect((await explainEntry(world, method!.id)).nearest?.call).toMatchObject({ operation: 30, method: 'GET' })
})

test('where nothing near it passes that is said, with what the call needs', async () => {
  const world = await openWorld()
  const { nearest, told } = await explainCall(world, { operation: 35, query: { srid: '1341379346', key: 'wrong' } })
  expect(nearest).toBeUndefined()
  expect(told).toMatch(/No call near it was found that passes; \d+ were tried.*It needs srid and key/)
})

test('a call that passes is told to be no refusal, and was made in no world', async () => {
  const world = await openWorld()
  expect(await explainCall(world, { operation: 8, body: booking })).toMatchObject({ refused: false, status: 200 })
  expect(await world.journal()).toEqual([])
})

test('what a call holds may be hostile: it is explained all the same, within its bounds', async () => {
  const world = await openWorld()
  const hostile = ['\u001b[31m', '<script>', '__proto__', 'a'.repeat(5000), '\ud800', '${1}', "'; --"]
  for (const text of hostile) {
    const body = { ...booking, bpNo: text, ascCode: text, timeSlot: text, symCode1: text, [text]: text }
    const { tried, refused } = await explainCall(world, { operation: 8, body, query: { srid: text } })
    expect([refused, tried <= 40]).toEqual([true, true])
  }
})

test('the table of rules has every place of a document that an error cites', () => {
  const root = join(import.meta.dirname, '../../../src')
  const folders = ['contract', 'server'].map((wing) => join(root, wing))
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(file, 'utf8'))
  const cited = new Set(
    texts.flatMap((text) => [...text.matchAll(/'(document [123], [^']*)'/g)].map(([, place]) => place!)),
  )
  expect([...cited].filter((place) => !Object.hasOwn(rules, place))).toEqual([])
})

test('a caller who has asked too often is told how long to wait', async () => {
  const world = await openWorld()
  await world.profile.set({ profile: 'few', choices: { 'rate-limit': { requests: 1, per: 'PT1M' } } })
  await send(world, toCall({ operation: 19 }))
  const { nearest, reasons } = await explainCall(world, { operation: 19 })
  expect([nearest?.changes, reasons]).toEqual([
    ['the call stays as it is, 60 seconds later'],
    [expect.objectContaining({ source: 'our choice: rate-limit' })],
  ])
})

test('a missing parameter is explained by the row of its operation in document 1', async () => {
  const { reasons, nearest } = await explainCall(await openWorld(), { operation: 2 })
  expect(reasons).toMatchObject([
    { source: 'document 1, operation 2', sentence: 'The query parameter `reasonId` is required.' },
  ])
  expect(nearest?.status).toBe(200)
})

test('a request of the event interface is explained by the row of its own operation', async () => {
  const { reasons } = await explainCall(await openWorld(), { operation: 'createSubscription' })
  expect(reasons).toMatchObject([
    {
      source: 'document 2, section 4',
      sentence: expect.stringContaining('Subscriptions have a JSON body'),
    },
  ])
})

test('an upload that is proposed shows the image that was sent', async () => {
  const world = await openWorld()
  const explanation = await explainCall(world, { operation: 26 })
  expect(explanation.nearest?.call.body).toEqual({ imageFile: expect.stringMatching(/^R0lGOD/) })
  expect(explanation.nearest?.changes).toContain('the built-in image of one pixel is sent, in base64')
  expect(await repeat(world, explanation)).toBe(200)
})

test('an unknown subscription is made first, although others are there, unless its id is mistyped', async () => {
  const world = await openWorld()
  const { body } = await send(world, toCall({ operation: 'createSubscription', body: allLocations }))
  const { subscriptionId } = body as { subscriptionId: string }
  for (const operation of ['getSubscription', 'updateSubscription', 'deleteSubscription', 'stream']) {
    const filters = operation === 'updateSubscription' ? { body: allLocations } : {}
    const explain = (id: string) => explainCall(world, { operation, params: { subscriptionId: id }, ...filters })
    expect((await explain('nope')).first).toMatchObject([{ call: { operation: 'createSubscription' } }])
    const { first, nearest } = await explain(`${subscriptionId}0`)
    expect([first, nearest?.changes]).toEqual([undefined, [expect.stringContaining(subscriptionId)]])
  }
})
