import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { type CallInput, toCall } from '../../../src/tools/mcp/calls/call.ts'
import { vendorOperations } from '../../../src/tools/mcp/calls/operations.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import { explainEntry } from '../../../src/tools/mcp/explain/explain.ts'
import { findRule, rules } from '../../../src/contract/rules.ts'
import { booking } from '../../helpers/bookings.ts'
import { explainSent, openWednesday, repeat } from './explained-calls.ts'

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

/** Requests that each violate a rule, with the source of the rule. */
const refusals: [what: string, call: CallInput, source: string][] = [
  ['an unknown slot', { operation: 8, body: { ...booking, timeSlot: 'never' } }, 'our choice: slot-unavailable'],
  [
    'a date far in the future',
    { operation: 8, body: { ...booking, timeSlot: 'x', appointmentDate: '2027-01-01' } },
    'our choice: ticket-windows',
  ],
  [
    'a visit at night',
    { operation: 33, as: 'web-bob', body: { ...inStore, startTime: '03:00' } },
    'our choice: slot-unavailable',
  ],
  ['an enum value in lower case', { operation: 8, body: { ...booking, serviceType: 'ih' } }, 'our choice: field-forms'],
  ['an invalid number', { operation: 19, query: { offset: 'X' } }, 'document 1, section 4, ticket list'],
  ['a number out of bounds', { operation: 22, body: { rating: 9, comment: 'Good' } }, 'our choice: feedback'],
  ['a misspelled parameter', { operation: 30, query: { zipcode: '07660' } }, 'our choice: required-bodies'],
  ['a zip code of 5+4 digits', { operation: 30, query: { zipCode: '07660-1234' } }, 'our choice: zip-plus-four'],
  ['a missing identity', { operation: 19, as: 'none' }, 'document 1, section 4, common request headers'],
  ['a user in a dealer operation', { operation: 19, as: 'web-alice' }, 'our choice: dealer-company'],
  [
    'an empty request-source header',
    { operation: 30, query: { zipCode: '07660' }, headers: { 'request-source': '' } },
    'document 1, section 4, common request headers',
  ],
  ['a different company ID', { operation: 8, body: { ...booking, companyId: 'C200' } }, 'our choice: dealer-company'],
  [
    "another company's customer",
    { operation: 8, body: { ...booking, bpNo: '2000000001' } },
    'our choice: foreign-is-unknown',
  ],
  ['an unknown ticket', { operation: 20, params: { id: '4100000018' } }, 'our choice: foreign-is-unknown'],
  ['an unknown model', { operation: 8, body: { ...booking, modelCode: 'VM-TV5' } }, 'our choice: ticket-references'],
  [
    'a center without home visits',
    { operation: 8, body: { ...booking, ascCode: 'ASC009' } },
    'our choice: ticket-references',
  ],
  ['an unknown center', { operation: 16, query: { ascCode: 'ASC999' } }, 'document 1, operations 16 and 25'],
  [
    'a symptom of another branch',
    { operation: 8, body: { ...booking, symCode2: 'WM11' } },
    'our choice: ticket-references',
  ],
  [
    'a string that is too long',
    { operation: 8, body: { ...booking, problemDescription: 'y'.repeat(2000) } },
    'our choice: field-forms',
  ],
  [
    'a missing mobile number',
    { operation: 33, as: 'web-bob', body: { ...inStore, mobilePhone: undefined } },
    'document 1, section 4, rule 2',
  ],
  ["another user's request", { operation: 34, as: 'web-bob', query: { srid: '13413' } }, 'our choice: malformed-srid'],
  ['a missing subType', { operation: 27 }, 'document 1, section 4, symptom tree, rule 1'],
  [
    'an unknown symptom',
    { operation: 29, query: { modelCode: 'VM-TV55', symCode3: 'TV999' } },
    'our choice: guide-branches',
  ],
  ['an identity without a profile', { operation: 32, as: 'nobody' }, 'document 1, section 7'],
  ['an unknown device', { operation: 24, params: { deviceId: 'x' } }, 'document 1, operation 24'],
  ['an empty dispute', { operation: 15, body: {} }, 'document 1, section 2'],
  [
    'a body that is not JSON',
    { operation: 8, headers: { 'content-type': 'application/json' }, body: '{' },
    'our choice: json-bodies',
  ],
  [
    'a missing bearer token',
    { operation: 'createSubscription', as: 'none', body: allLocations },
    'document 2, section 5, rule 1',
  ],
  [
    'an expired token',
    { operation: 'createSubscription', as: 'token-expired', body: allLocations },
    'our choice: subscription-statuses',
  ],
  [
    'a token without scopes',
    { operation: 'createSubscription', as: 'token-guest', body: allLocations },
    'document 2, section 5, rule 2',
  ],
  [
    "another user's device",
    {
      operation: 'createSubscription',
      body: { subscriptionFilters: [{ type: 'DEVICEIDS', value: ['bbbbbbbb-0000-4000-8000-000000000001'] }] },
    },
    'our choice: subscription-ids',
  ],
  [
    'a filter of unknown type',
    { operation: 'createSubscription', body: { subscriptionFilters: [{ type: 'LOCATION', value: ['ALL'] }] } },
    'document 2, section 2',
  ],
  [
    'a missing parameter in a wallet request',
    { operation: 'checkAvailability', query: { modelName: 'VM-S100' } },
    'document 2, section 7',
  ],
  [
    'an invalid country code',
    { operation: 'checkAvailability', query: { modelName: 'VM-S100', serviceType: 'WALLET', countryCode: 'us' } },
    'our choice: wallet-country',
  ],
  [
    'an unknown partner',
    { operation: 'checkAvailability', as: 'nobody', query: { modelName: 'VM-S100', serviceType: 'WALLET' } },
    'our choice: wallet-order',
  ],
  ['an invalid secret', { operation: 'createServiceToken', body: { secret: '12345678901x' } }, 'document 3, section 7'],
  [
    'an unknown service token',
    { operation: 'getSubscriptionStatus', body: { purchaseID: 'purchase-active', serviceToken: token } },
    'document 3, section 7',
  ],
  [
    'a missing service token and a misspelled purchase ID',
    { operation: 'getSubscriptionStatus', body: { purchaseID: 'purchase-activ' } },
    'document 3, section 7',
  ],
  [
    'an unknown subscription',
    { operation: 'getSubscription', params: { subscriptionId: 'x' } },
    'our choice: subscription-statuses',
  ],
  ['a second open request', { operation: 33, as: 'web-zoe-solano', body: inStore }, 'document 1, section 4, rule 2'],
]

test.each(refusals)(
  'the explanation of the error for %s contains the sentence of the violated rule',
  async (_, call, source) => {
    const { refused, reasons } = await explainSent(await openWorld(), call)
    expect(refused).toBe(true)
    expect(reasons).toContainEqual(expect.objectContaining({ source, sentence: findRule(source)?.sentence }))
  },
)

test('the example request in the explanation succeeds for at least 34 of 40 errors', async () => {
  const failed: string[] = []
  for (const [what, call] of refusals) {
    const world = await openWorld()
    const { example } = await explainSent(world, call)
    if (!example || (await repeat(world, example)) >= 400) failed.push(what)
  }
  expect(refusals).toHaveLength(40)
  expect(failed.length, failed.join('; ')).toBeLessThanOrEqual(6)
})

test('the example request keeps the values of the caller in fields without an error', async () => {
  const world = await openWorld()
  const body = { ...booking, problemDescription: 'It hums.', serviceType: 'ih' }
  const { example } = await explainSent(world, { operation: 8, as: 'dealer-frank', body })
  expect(example).toMatchObject({ headers: { 'vendorus-profid': 'dealer-frank' } })
  expect(example?.body).toMatchObject({ problemDescription: 'It hums.', timeSlot: booking.timeSlot, serviceType: 'IH' })
})

test('the example request omits unknown names', async () => {
  const world = await openWorld()
  const { example } = await explainSent(world, { operation: 30, query: { zipcode: '07660' } })
  expect(example?.path).toBe('/stg/us/guest/zipCode?zipCode=07660')
  const body = { ...booking, serviceType: 'ih', x: 1, bpno: '1' }
  const booked = await explainSent(world, { operation: 8, headers: { 'vendorus-x': '1' }, body })
  expect(booked.example?.headers).not.toHaveProperty('vendorus-x')
  expect(booked.example?.body).not.toHaveProperty('x')
  expect(booked.example?.body).not.toHaveProperty('bpno')
})

test('the example request omits the values of the caller if the error names no field', async () => {
  const world = await openWorld()
  const body = { ...booking, problemDescription: 'It hums.' }
  const { example } = await explainSent(world, { operation: 8, as: 'bob', body })
  expect(example?.body).not.toMatchObject({ problemDescription: 'It hums.' })
  expect(JSON.stringify(example)).not.toContain('{{')
})

test('an explanation has no example if the operation needs a value from another call', async () => {
  const world = await openWorld()
  const call = { operation: 'getSubscriptionStatus', body: { purchaseID: 'purchase-active', serviceToken: token } }
  const explanation = await explainSent(world, call)
  expect([explanation.example, explanation.needs]).toEqual([undefined, 'serviceToken, from createServiceToken'])
  const { needs } = await explainSent(world, { operation: 35, query: { srid: '1341379346', key: 'wrong' } })
  expect(needs).toMatch(/^srid and key, .*\(the tool `trigger_event` with the action `outbox`\)$/)
})

test('the error for an expired service token is explained by document 3, section 5', async () => {
  const world = await openWorld()
  const { body } = await send(world, toCall({ operation: 'createServiceToken', body: { secret: '123456789012' } }))
  const [, serviceToken = ''] = /<output[^>]*>([^<]+)/.exec(String(body)) ?? []
  await world.clock.advance('P31D')
  const call = { operation: 'getSubscriptionStatus', body: { purchaseID: 'purchase-active', serviceToken } }
  const { reasons } = await explainSent(world, call)
  expect(reasons).toMatchObject([
    { code: '301', source: 'document 3, section 5, rule 3', sentence: 'A token is valid for 30 days.' },
  ])
})

test('an explanation does not change the world and does not create another world', async () => {
  const world = await openWorld()
  const { entry } = await send(world, toCall({ operation: 8, body: { ...booking, timeSlot: 'never' } }))
  const before = [await world.snapshot(), (await cloud.worlds()).totalCount, await world.journal()]
  await explainEntry(world, entry!.id)
  expect([await world.snapshot(), (await cloud.worlds()).totalCount, await world.journal()]).toEqual(before)
})

test('toCall reads the parameters and the query from a method and a path', () => {
  const { operation, params, query } = toCall({ operation: 'GET /stg/us/dealer/tickets/4100000017?a=1&b=2&b=3' })
  expect([operation?.operation, params, query]).toEqual([20, { id: '4100000017' }, { a: '1', b: ['2', '3'] }])
})

test('an error for an unknown path is explained without an example', async () => {
  const world = await openWorld()
  await world.fetch('/stg/us/dealer/ticket', { headers: toCall({ operation: 19 }).headers })
  const [entry] = await world.journal()
  const { reasons, example } = await explainEntry(world, entry!.id)
  expect([reasons.length, example]).toEqual([1, undefined])
})

test('an error for a message that is not SOAP is explained without an example', async () => {
  const { reasons, example } = await explainSent(await openWorld(), {
    operation: 'getSubscriptionStatus',
    body: '<a/>',
  })
  expect(reasons).toMatchObject([{ source: 'SOAP 1.1, section 4' }])
  expect(example).toBeUndefined()
})

test('the explanation of a successful call contains no reasons and no example', async () => {
  const explanation = await explainSent(await openWorld(), { operation: 8, body: booking })
  expect(explanation).toMatchObject({ refused: false, status: 200, reasons: [] })
  expect(explanation.example).toBeUndefined()
})

test('the explanation of a successful call lists the ignored names', async () => {
  const query = { zipCode: '07660', zipcode: '1' }
  const { refused, ignored } = await explainSent(await openWorld(), { operation: 30, query })
  expect([refused, ignored]).toEqual([false, [{ name: 'query.zipcode', near: 'zipCode' }]])
})

test('calls with hostile values are explained', async () => {
  const world = await openWorld()
  const hostile = ['\u001b[31m', '<script>', '__proto__', 'a'.repeat(5000), '\ud800', '${1}', "'; --"]
  for (const text of hostile) {
    const body = { ...booking, bpNo: text, ascCode: text, timeSlot: text, symCode1: text, [text]: text }
    const { refused, example } = await explainSent(world, { operation: 8, body, query: { srid: text } })
    expect([refused, example?.method]).toEqual([true, 'POST'])
  }
})

test('the table of rules contains every section of the documents that an error cites', () => {
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

test('an error caused by the rate limit is explained by the choice rate-limit', async () => {
  const world = await openWorld()
  await world.profile.set({ profile: 'few', choices: { 'rate-limit': { requests: 1, per: 'PT1M' } } })
  await send(world, toCall({ operation: 19 }))
  const { reasons } = await explainSent(world, { operation: 19 })
  expect(reasons).toEqual([expect.objectContaining({ source: 'our choice: rate-limit', id: 'rate-limit' })])
})

test('a missing parameter is explained by the rule of its operation in document 1', async () => {
  const world = await openWorld()
  const { reasons, example } = await explainSent(world, { operation: 2 })
  expect(reasons).toMatchObject([
    {
      target: 'query.reasonId',
      source: 'document 1, operation 2',
      sentence: 'The query parameter `reasonId` is required.',
    },
  ])
  expect(await repeat(world, example!)).toBe(200)
})

test('a missing body for the events API is explained by document 2', async () => {
  const { reasons } = await explainSent(await openWorld(), { operation: 'createSubscription' })
  expect(reasons).toMatchObject([
    {
      source: 'document 2, section 4',
      sentence: expect.stringContaining('Requests that create or replace a subscription have a JSON body'),
    },
  ])
})

test('the example for an image upload contains an image', async () => {
  const world = await openWorld()
  const { example } = await explainSent(world, { operation: 26 })
  expect(example?.body).toEqual({ imageFile: expect.stringMatching(/^R0lGOD/) })
  expect(await repeat(world, example!)).toBe(200)
})

test('the error for an expired token names the resource that lists tokens', async () => {
  const call = { operation: 'createSubscription', as: 'token-expired', body: allLocations }
  const { reasons } = await explainSent(await openWorld(), call)
  expect(reasons[0]?.message).toBe('the access token has expired; the resource vendor-cloud://people lists others')
})

test('an explanation names the caller of the rejected request', async () => {
  expect(await explainSent(await openWorld(), { operation: 8, as: 'bob', body: booking })).toMatchObject({
    status: 401,
    caller: 'bob',
  })
})

test('examples and default calls of guest operations succeed when the profile strict requires an identity', async () => {
  const world = await openWorld()
  await world.profile.set('strict')
  const guests = vendorOperations.filter(({ scope }) => scope === 'guests')
  expect(guests.map(({ operation }) => operation)).toEqual([3, 22, 23, 24, 25, 26, 27, 28, 29, 30])
  for (const { operation, contract } of guests) {
    const { headers: _, body, ...parts } = contract.example ?? {}
    const call = { operation, ...parts, ...(!contract.form && { body }) }
    const { example } = await explainSent(world, { ...call, as: 'none' })
    expect([operation, await repeat(world, example!)]).toEqual([operation, 200])
    expect([operation, (await send(world, toCall(call))).status]).toEqual([operation, 200])
  }
})

test('an error is explained without an example if the example is the rejected request', async () => {
  const world = await openWorld()
  const { example } = await explainSent(world, { operation: 8, body: {} })
  expect(await repeat(world, example!)).toBe(200)
  const explanation = await explainSent(world, { operation: 8, body: example!.body })
  expect(explanation).toMatchObject({ refused: true, status: 400, needs: expect.stringMatching(/^other values/) })
  expect(explanation.example).toBeUndefined()
})

test('an explanation of a missing header has an example with this header', async () => {
  const world = await openWorld()
  const call = { operation: 30, query: { zipCode: '07660' }, headers: { 'request-source': '' } }
  const { needs, example } = await explainSent(world, call)
  expect([needs, await repeat(world, example!)]).toEqual([undefined, 200])
})

test('an explanation of a conflict has no example', async () => {
  const world = await openWorld()
  const { example } = await explainSent(world, { operation: 8, body: {} })
  expect(await repeat(world, example!)).toBe(200)
  const body = { problemDescription: 'Again', ...(example!.body as object) }
  const explanation = await explainSent(world, { operation: 8, body })
  expect(explanation.needs).toMatch(/^other values/)
  expect(explanation.example).toBeUndefined()
})
