import { request as httpRequest } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { VariationKind } from '../../../src/contract/records/control/variation.ts'
import { asGuest, asWeb, buildTestApp, listen, type TestApp } from '../../helpers/build-test-app.ts'
import { LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { call, SECRET } from '../../helpers/documents/soap.ts'
import { operationsOf, toRequest } from '../../helpers/openapi-examples.ts'

const vary = ({ app }: Pick<TestApp, 'app'>, kinds: VariationKind[], seed = 'fields') =>
  app.inject({ method: 'PUT', url: '/_control/variation', payload: { seed, kinds } })

interface Difference {
  place: string
  from: unknown
  to: unknown
}

/** Returns the fields that differ. `undefined` means that the field is absent. */
function differencesOf(from: unknown, to: unknown, place = ''): Difference[] {
  if (from === to) return []
  const isPair = from !== null && to !== null && typeof from === 'object' && typeof to === 'object'
  if (!isPair || Array.isArray(from) !== Array.isArray(to)) return [{ place, from, to }]
  const [own, other] = [from, to] as [Record<string, unknown>, Record<string, unknown>]
  return [...new Set([...Object.keys(own), ...Object.keys(other)])].flatMap((name) =>
    differencesOf(own[name], other[name], `${place}.${Array.isArray(from) ? '*' : name}`),
  )
}

/**
 * Sends the documented examples to two worlds, one with variation and one without. Returns the differences between the
 * responses.
 */
async function compareAll(kind: VariationKind): Promise<Difference[]> {
  const [plain, varied] = [buildTestApp(), buildTestApp()]
  const description = JSON.parse((await plain.app.inject('/openapi/support.json')).payload)
  const found: Difference[] = []
  for (let seed = 0; seed < 3; seed++) {
    for (const { path, method, operation } of operationsOf(description)) {
      const request = toRequest('', path, method, operation)
      const expected = await plain.app.inject(request)
      await vary(varied, [kind], `seed ${seed}`)
      const reply = await varied.app.inject(request)
      const isCreated = kind === 'http-created' && Object.hasOwn(operation.responses, '201')
      expect(reply.statusCode).toBe(isCreated && expected.statusCode === 200 ? 201 : expected.statusCode)
      const read = ({ payload, headers }: typeof reply): unknown =>
        String(headers['content-type']).startsWith('application/json') ? JSON.parse(payload) : payload
      found.push(...differencesOf(read(expected), read(reply), String(operation['x-operation'])))
    }
  }
  return found.filter(({ place }) => !place.endsWith('requestId'))
}

test('the variation json-null only adds null for absent optional fields and omits null fields', async () => {
  const found = await compareAll('json-null')
  expect(found.filter(({ from, to }) => !(from === undefined && to === null) && from !== null)).toEqual([])
  const places = new Set(found.map(({ place }) => place))
  expect(places).toContain('6.address2')
  expect(places).toContain('27.symptoms.*.parentCode')
})

test('the variation json-enum changes only codes whose values the document does not fix', async () => {
  const found = await compareAll('json-enum')
  for (const { from, to } of found)
    expect([typeof from, to]).toEqual(['string', expect.stringMatching(/^FURTHER_\d+$/)])
  const names = new Set(found.map(({ place }) => place.split('.').at(-1)))
  const open = ['reason', 'statusReasonCode', 'serviceType', 'type', 'ascType', 'status', '*']
  expect([...names].filter((name) => !open.includes(name!))).toEqual([])
  expect(names).toContain('type')
  const places = found.map(({ place }) => place)
  expect(places).toContain('17.items.*.services.*')
  expect(places).toContain('20.serviceType')
  // The values E0001 to E0003 are defined in document 1, so variation must not change them.
  expect(found.filter(({ from }) => String(from).startsWith('E000'))).toEqual([])
})

test('the variation http-created returns 201 only where document 1 declares it', async () => {
  expect(await compareAll('http-created')).toEqual([])
})

test('variation neither changes values that the caller sent nor adds unselected fields', async () => {
  const server = buildTestApp()
  const dealer = asWeb('dealer-erin')
  await vary(server, ['json-enum'])
  const list = (query: string) => server.app.inject({ url: `/stg/us/dealer/tickets?${query}`, headers: dealer })
  const typesOf = (reply: Awaited<ReturnType<typeof list>>) =>
    reply.json().items.map(({ serviceType }: { serviceType: string }) => serviceType)
  expect(new Set(typesOf(await list('serviceType=IH')))).toEqual(new Set(['IH']))
  expect(typesOf(await list('')).join()).toContain('FURTHER')
  await vary(server, ['json-null'])
  const chosen = await server.app.inject({ url: '/stg/us/dealer/stores?fields=storeId,ascCode', headers: dealer })
  expect(chosen.payload).not.toContain('null')
})

test('variation does not change event data or a capability that the subscription filters by', async () => {
  const server = await startEvents()
  await vary(server, ['json-null', 'json-enum'])
  const seen: { capability: string; unit?: null; data: null }[] = []
  const frame = async (filter: object) => {
    const { reader, subscriptionId } = await server.stream([{ type: 'LOCATIONIDS', value: ['ALL'], ...filter }])
    await server.emit(LIGHT, 'on')
    const { data } = (await reader.next())!
    await server.call('DELETE', `/subscriptions/${subscriptionId}`)
    await reader.ended
    return (data as { deviceEvent: (typeof seen)[number] }).deviceEvent
  }
  for (let seed = 0; seed < 12; seed++) {
    await vary(server, ['json-null', 'json-enum'], `seed ${seed}`)
    seen.push(await frame({}))
    expect((await frame({ capability: 'switch' })).capability).toBe('switch')
  }
  expect(seen.map(({ capability }) => capability).join()).toContain('FURTHER')
  expect(seen.map(({ unit }) => unit)).toContain(null)
  expect(new Set(seen.map(({ data }) => data))).toEqual(new Set([null]))
})

function receive(address: string, encoding: string | undefined, method = 'GET') {
  const headers = { ...asGuest(), ...(encoding !== undefined && { 'accept-encoding': encoding }) }
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = httpRequest(`${address}/stg/us/guest/zipCode?zipCode=07660`, { method, headers }, (reply) => {
      const pieces: Buffer[] = []
      reply.on('data', (piece: Buffer) => pieces.push(piece))
      reply.on('end', () => resolve({ headers: reply.headers, body: Buffer.concat(pieces) }))
    })
    sent.on('error', reject).end()
  })
}

test('the variation http-gzip compresses only responses to clients that accept gzip', async () => {
  const server = buildTestApp()
  const address = await listen(server.app)
  const plain = await receive(address, undefined)
  for (const kinds of [['http-gzip'], ['http-gzip', 'http-chunked', 'http-case']] as VariationKind[][]) {
    for (let seed = 0; seed < 12; seed++) {
      await vary(server, kinds, `seed ${seed}`)
      for (const refused of [undefined, 'identity', 'gzip;q=0', 'br, *;q=0']) {
        const { headers, body } = await receive(address, refused)
        expect([headers['content-encoding'], String(body)]).toEqual([undefined, String(plain.body)])
      }
      const { headers, body } = await receive(address, 'br;q=1, gzip;q=0.5')
      const { entries } = (await server.app.inject('/_control/journal?limit=1')).json()
      const isPacked = headers['content-encoding'] === 'gzip'
      expect(entries[0].variation.includes('http-gzip')).toBe(isPacked)
      if (kinds.length === 1) expect(isPacked).toBe(true)
      expect(String(isPacked ? gunzipSync(body) : body)).toBe(String(plain.body))
      if (isPacked) expect(headers['vary']).toContain('accept-encoding')
      if (headers['content-length'] !== undefined) expect(Number(headers['content-length'])).toBe(body.length)
      expect((await receive(address, 'gzip', 'HEAD')).body.length).toBe(0)
    }
  }
})

test('variation preserves the SOAP fields that document 3 requires, and does not change faults', async () => {
  const server = buildTestApp()
  const send = async (operation: string, inputs: Record<string, string>) => {
    const headers = { 'content-type': 'text/xml' }
    const payload = call(operation, inputs)
    return (await server.app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers, payload })).payload
  }
  const serviceToken = /<output>(\w+)</.exec(await send('createServiceToken', { secret: SECRET }))![1]!
  const asked = { purchaseID: 'purchase-cancelled', serviceToken }
  const namesOf = (text: string) => [...text.matchAll(/<(\w+)>/g)].map(([, name]) => name!)
  const plain = namesOf(await send('getSubscriptionStatus', asked))
  const lost = new Set<string>()
  for (let seed = 0; seed < 100; seed++) {
    await vary(server, ['soap-missing'], `seed ${seed}`)
    const left = namesOf(await send('getSubscriptionStatus', asked))
    expect(left.length).toBeLessThan(plain.length)
    for (const name of plain.filter((each) => !left.includes(each))) lost.add(name)
    expect(plain.filter((name) => left.includes(name))).toEqual(left)
    await vary(server, ['soap-extra'], `seed ${seed}`)
    const more = namesOf(await send('getSubscriptionStatus', asked))
    expect(more.filter((name) => !/^(?:further|part)/.test(name))).toEqual(plain)
    expect(more.length).toBeGreaterThan(plain.length)
  }
  const needed = ['subscriptionStatus', 'subscriptionEndDate', 'subscriptionType', 'cancelSubscriptionReason']
  for (const name of ['output', 'localPrice', 'supplyPrice', ...needed]) expect(lost).not.toContain(name)
  expect(lost.size).toBe(plain.length - needed.length - 3)
  const fault = await send('getSubscriptionStatus', { ...asked, serviceToken: 'none' })
  await vary(server, ['soap-missing', 'soap-extra'])
  for (let i = 0; i < 8; i++)
    expect(await send('getSubscriptionStatus', { ...asked, serviceToken: 'none' })).toBe(fault)
})

test('variation does not change injected responses or bodies that are not valid JSON or XML', async () => {
  const server = buildTestApp()
  const faults = (respond: object) =>
    server.app.inject({
      method: 'POST',
      url: '/_control/faults',
      payload: { match: { path: '*' }, respond, times: 1 },
    })
  const json = { 'content-type': 'application/json' }
  const xml = { 'content-type': 'text/xml' }
  const given = [
    { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>x</h1>' },
    { status: 200, headers: json, body: 'no JSON' },
    { status: 200, headers: json, body: '[1, {' },
    { status: 200, headers: json, body: 'null' },
    { status: 200, headers: { ...json, 'content-encoding': 'br' }, body: '{}' },
    { status: 200, headers: xml, body: '<output><output>' },
    { status: 200, body: '' },
    { garbage: true },
  ]
  for (const kinds of [['http-gzip'], ['http-slow'], ['json-order'], ['json-escape'], ['soap-extra'], []]) {
    await vary(server, kinds as VariationKind[])
    for (const respond of given) {
      await faults(respond)
      const headers = { ...asGuest(), 'accept-encoding': 'gzip' }
      const reply = await server.app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers, payload: '<x/>' })
      expect([200, 502]).toContain(reply.statusCode)
      const isPlain = reply.headers['content-encoding'] === undefined
      if (isPlain && 'body' in respond) expect(reply.payload).toBe(respond.body)
      const { entries } = (await server.app.inject('/_control/journal')).json()
      expect(
        entries.filter(({ requestId }: { requestId: string }) => requestId === reply.headers['x-request-id']),
      ).toHaveLength(1)
    }
  }
})
