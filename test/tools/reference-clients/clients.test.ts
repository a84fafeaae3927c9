import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createEventParser, type RawEvent } from '../../../src/tools/reference-clients/stream-connection.ts'
import {
  createBillingClient,
  createEventsClient,
  createSupportClient,
  LostAnswer,
  Refusal,
} from '../../../src/tools/reference-clients/clients.ts'
import { supportOperations } from '../../../src/contract/documents/support/operations.ts'
import { toTemplate } from '../../../src/server/http/openapi/routes.ts'
import type { VendorCloudWorld } from '../../../src/tools/client/world.ts'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { operationTable } from '../../helpers/operation-table.ts'

let server: VendorCloud
beforeAll(async () => {
  server = await startVendorCloud({})
})
afterAll(() => server.stop())

const dealer = (url: string) => createSupportClient({ url, source: 'vendor.com', identity: 'dealer-erin', pause })
const pause = async () => {}
const allLocations = { subscriptionFilters: [{ type: 'LOCATIONIDS' as const, value: ['ALL'] }] }
const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'

test('the generated types have every operation of document 1, with its method and path', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../openapi/documents.d.ts'), 'utf8')
  const rows = [...text.matchAll(/^\/\*\* (\d+): .*\n'(\w+ .*)': \{/gm)].map(([, number, row]) => `${number} ${row}`)
  // In OpenAPI, a path parameter has only one name, so operation 14 is described with the parameter name of operation
  // 12.
  const expected = operationTable.map(({ operation, method, path }) =>
    `${operation} ${method} ${path}`.replace(
      '14 POST /stg/us/dealer/customers/{id}',
      '14 POST /stg/us/dealer/customers/{customerId}',
    ),
  )
  expect(rows.toSorted()).toEqual(expected.toSorted())
})

test('the support client omits its identity only for operations that require none', async () => {
  const named: (readonly [string, boolean])[] = []
  const fetch = async (_url: unknown, { headers }: RequestInit = {}) => {
    named.push([route, new Headers(headers).has('vendorus-profId')])
    return new Response('{}')
  }
  const support = createSupportClient({ url: 'http://localhost', source: 'vendor.com', identity: 'web-alice', fetch })
  let route = ''
  for (const each of Object.values(supportOperations)) {
    route = each.route
    await support.call(toTemplate(route) as 'GET /stg/us/contact/reason')
  }
  expect(named).toEqual(Object.values(supportOperations).map((each) => [each.route, each.scope !== 'anonymous']))
})

test('the parameters, bodies and responses of calls are typed according to their operation', async () => {
  const support = dealer(server.url)
  const { city }: { city: string } = await support.call('GET /stg/us/guest/zipCode', { zipCode: '07660' })
  expect(city).toBe('Ridgefield Park')
  const slips = () => [
    // @ts-expect-error The path is not in the table.
    support.call('GET /stg/us/guest/zipcode', { zipCode: '07660' }),
    // @ts-expect-error The parameter is misspelled.
    support.call('GET /stg/us/guest/zipCode', { zip: '07660' }),
    // @ts-expect-error The body is missing.
    support.call('POST /stg/us/instore/create', {}),
    // @ts-expect-error The server sets this field.
    support.call('POST /stg/us/dealer/customers', {}, { bpNo: '1' }),
    // @ts-expect-error The operation does not return a list.
    support.items('GET /stg/us/guest/zipCode', { zipCode: '07660' }, String),
  ]
  expect(slips).toBeTypeOf('function')
})

test.each([
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': 'Wed, 06 May 2026 16:00:05 GMT', date: 'Wed, 06 May 2026 16:00:00 GMT' }, 5000],
  [{ 'retry-after': 'Wed, 06 May 2026 15:00:00 GMT', date: 'Wed, 06 May 2026 16:00:00 GMT' }, 0],
  [{ 'retry-after': 'Wed, 06 May 2026 16:00:05 GMT' }, 5000],
  [{ 'retry-after': 'soon' }, 0],
  [{}, 0],
])('an error response with the headers %j is retried after at least %i ms', (given, expected) => {
  vi.useFakeTimers({ now: Date.UTC(2026, 4, 6, 16), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const headers = new Headers(Object.entries(given))
  expect(new Refusal({ status: 503, headers }, [], 'not now').waitMs).toBe(expected)
})

test('the support client reads a complete list without duplicates while items are added', async () => {
  const world = await server.world()
  const { items } = await world.records.list('tickets', { companyId: 'C100', status: 'E0003', limit: 1 })
  const [ticket] = items as Record<string, unknown>[]
  const add = (number: number) =>
    world.records.put('tickets', String(number), {
      ...ticket,
      srid: String(number),
      ticketNumber: String(number + 1_000_000_000),
      createdAt: new Date(Date.now() + number).toISOString(),
    })
  for (let i = 0; i < 9; i++) await add(7_000_000_000 + i)
  const had: string[] = []
  for await (const { srid } of dealer(world.url).items(
    'GET /stg/us/dealer/tickets',
    { limit: 5 },
    (each) => each.srid,
  )) {
    if (had.push(srid) % 5 === 0 && had.length < 20) await add(7_500_000_000 + had.length)
  }
  expect(new Set(had).size).toBe(had.length)
  for (let i = 0; i < 9; i++) expect(had).toContain(String(7_000_000_000 + i))
})

test('the support client reads all pages of the store list by page number', async () => {
  const had: string[] = []
  for await (const { storeId } of dealer(server.url).items('GET /stg/us/dealer/stores', { size: 1 }, (each) =>
    String(each.storeId),
  )) {
    had.push(String(storeId))
  }
  expect(had.length).toBeGreaterThan(1)
  expect(new Set(had).size).toBe(had.length)
})

test('a POST is repeated after 503, but not if its response was lost', async () => {
  const world = await server.world()
  const feedback = { rating: 5, comment: 'fine' }
  const send = () => dealer(world.url).call('POST /stg/us/guest/customerFeedback', {}, feedback)
  await world.faults.add({ match: { operation: 22 }, respond: { reset: true }, when: 'after', times: 1 })
  await expect(send()).rejects.toBeInstanceOf(LostAnswer)
  expect((await world.verify({ operation: 22 }, { count: 1 })).matched).toBe(true)
  await world.faults.add({ match: { operation: 22 }, respond: { status: 503 }, times: 2 })
  expect(await send()).toMatchObject({ received: true })
  const refusal: unknown = await dealer(world.url)
    .call('GET /stg/us/guest/zipCode', { zipCode: '00000' })
    .catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal).toMatchObject({ status: 404, isFinal: true })
})

test('a request that keeps failing is repeated five times', async () => {
  const world = await server.world()
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 } })
  await expect(dealer(world.url).call('GET /stg/us/guest/zipCode', { zipCode: '07660' })).rejects.toMatchObject({
    status: 503,
  })
  expect((await world.verify({ operation: 30 }, { atLeast: 1 })).count).toBe(6)
  const left = new AbortController()
  const waiting = createSupportClient({ url: world.url, source: 'vendor.com', signal: left.signal })
  const call = waiting.call('GET /stg/us/guest/zipCode', { zipCode: '07660' })
  await world.verify({ operation: 30 }, { atLeast: 7, withinMs: 20_000 })
  left.abort(new Error('left'))
  await expect(call).rejects.toThrow('left')
})

test('a refused connection is reported with the URL after three attempts', async () => {
  const { url, stop } = await startVendorCloud()
  await stop()
  let pauses = 0
  const support = createSupportClient({ url, source: 'vendor.com', pause: async () => void pauses++ })
  await expect(support.call('GET /stg/us/contact/reason')).rejects.toMatchObject({
    name: 'LostAnswer',
    code: 'ECONNREFUSED',
    message: `cannot reach ${url}: connection refused (ECONNREFUSED)`,
  })
  expect(pauses).toBe(2)
})

test('the error for a lost response contains its URL and the reason', async () => {
  const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('other side closed') }))
  const support = createSupportClient({ url: 'http://localhost', source: 'vendor.com', pause, fetch })
  await expect(support.call('GET /stg/us/contact/reason')).rejects.toThrow(
    'no response to GET http://localhost/stg/us/contact/reason: other side closed',
  )
})

test('the events client delivers a duplicated event once', async () => {
  const world = await server.world()
  const left = new AbortController()
  const events = createEventsClient({ url: world.url, token: () => 'token-home', signal: left.signal })
  const values: unknown[] = []
  const emit = (value: string) =>
    world.events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value, force: true })
  for await (const { name, data } of events.follow(allLocations)) {
    if (data === 'welcome') {
      const { items } = await world.streams.list()
      await world.streams.injectFault(items[0]!.subscriptionId, { action: 'duplicate' })
      for (const value of ['on', 'off']) await emit(value)
    }
    if (name === 'DEVICE_EVENT') values.push(data.deviceEvent.value)
    if (values.at(-1) === 'off') break
  }
  expect(values).toEqual(['on', 'off'])
})

test('the events client loses no event when its token expires', async () => {
  const world = await server.world()
  const issue = async () => {
    const locations = ['11111111-0000-4000-8000-000000000001']
    const request = { user: 'alice-home', scopes: ['r:locations:*'], locations, expiresIn: 600 }
    return (await world.tokens.issue(request)).accessToken
  }
  const events = createEventsClient({ url: world.url, token: issue, pause })
  const seen: unknown[] = []
  const emit = (value: string) =>
    world.events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value, force: true })
  for await (const { name, data } of events.follow(allLocations)) {
    seen.push(name === 'DEVICE_EVENT' ? data.deviceEvent.value : data)
    if (seen.length === 1) await emit('before')
    if (seen.at(-1) === 'before') {
      await world.clock.advance('PT11M')
      await emit('while expired')
    }
    if (seen.at(-1) === 'while expired') break
  }
  expect(seen).toEqual(['welcome', 'before', 'welcome', 'while expired'])
  expect((await world.verify({ operation: 'createSubscription' }, { count: 1 })).matched).toBe(true)
})

test.each([
  ['goodbye', (world: VendorCloudWorld, id: string) => world.records.delete('subscriptions', id)],
  [
    '404',
    async (world: VendorCloudWorld, id: string) => {
      await world.faults.add({ match: { operation: 'stream' }, respond: { status: 404 }, times: 1 })
      await world.streams.injectFault(id, { action: 'drop' })
    },
  ],
] as const)('the events client reports a gap when it subscribes again after %s', async (_, lose) => {
  const world = await server.world()
  const events = createEventsClient({ url: world.url, token: () => 'token-home', pause })
  const seen: unknown[] = []
  for await (const { data } of events.follow(allLocations)) {
    seen.push(data)
    if (seen.length === 1) await lose(world, (await world.streams.list()).items[0]!.subscriptionId)
    if (data === 'gap') break
  }
  expect(seen.filter((each) => each !== 'goodbye')).toEqual(['welcome', 'welcome', 'gap'])
})

test('parallel calls share one service token and one renewal of it', async () => {
  const world = await server.world()
  const billing = createBillingClient({ url: world.url, secret: '123456789012' })
  const three = () => Promise.all([1, 2, 3].map(() => billing.status('purchase-active')))
  await three()
  await world.clock.advance('P31D')
  expect((await three()).map(({ subscriptionStatus }) => subscriptionStatus)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
  expect((await world.verify({ operation: 'createServiceToken' }, { count: 2 })).matched).toBe(true)
})

test('chunks and line ends do not change the result of parsing a stream', () => {
  const field = fc.oneof(
    fc
      .tuple(fc.constantFrom('data', 'event', 'id'), fc.stringMatching(/^[a-zé🚲: ]{0,8}$/u))
      .map(([name, value]) => `${name}: ${value}`),
    fc.constantFrom(': comment', '', '', 'retry: 20', 'other: x'),
  )
  fc.assert(
    fc.property(
      fc.array(field, { maxLength: 20 }),
      fc.infiniteStream(fc.constantFrom('\r', '\n', '\r\n')),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      (lines, ends, sizes) => {
        const plain = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
        // If a line ended with CR and the empty line after it with LF, both would be read as a single line ending.
        const varied = lines.map((line, i) => line + (lines[i + 1] === '' ? '\r\n' : ends.next().value))
        const bytes = new TextEncoder().encode(varied.join(''))
        const parse = createEventParser(() => {})
        const events: RawEvent[] = []
        for (let at = 0; at < bytes.length; ) {
          const next = at + sizes.next().value
          events.push(...parse(bytes.subarray(at, next)))
          at = next
        }
        expect(events).toEqual(createEventParser(() => {})(plain))
      },
    ),
  )
})
