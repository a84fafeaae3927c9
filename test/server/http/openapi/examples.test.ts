import { expect, test } from 'vitest'
import { apis } from '../../../../src/server/http/openapi/apis.ts'
import { supportOperations } from '../../../../src/contract/documents/support/operations.ts'
import { SNAPSHOT_TYPE } from '../../../../src/contract/records/snapshot.ts'
import { buildTestApp, type TestApp } from '../../../helpers/build-test-app.ts'
import { startEvents } from '../../../helpers/documents/events.ts'
import { type Description, operationsOf, toRequest } from '../../../helpers/openapi-examples.ts'

async function describe({ app }: TestApp, name: string, prefix = ''): Promise<Description> {
  return (await app.inject(`${prefix}/openapi/${name}.json`)).json()
}

test.each(['', '/w/tuesday'])(
  'each example in support.json succeeds unchanged on a new server with the world prefix "%s"',
  async (prefix) => {
    const fresh = buildTestApp()
    if (prefix) await fresh.app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'tuesday' } })
    const description = await describe(fresh, 'support', prefix)
    const statuses = new Map<number, number>()
    for (const { path, method, operation } of operationsOf(description)) {
      if (operation['x-example-needs']) continue
      const reply = await fresh.app.inject(toRequest(description.servers[0]!.url, path, method, operation))
      statuses.set(operation['x-operation']!, reply.statusCode)
    }
    expect([...statuses].filter(([, status]) => status !== 200)).toEqual([])
    expect(statuses.size).toBe(Object.keys(supportOperations).length - 1)
  },
)

test('the examples for creating tickets and in-store requests also succeed on a later day', async () => {
  const fresh = buildTestApp()
  fresh.clock.set('2027-02-13T23:30:00.000Z')
  const description = await describe(fresh, 'support')
  for (const { path, method, operation } of operationsOf(description)) {
    if (![8, 33].includes(operation['x-operation']!)) continue
    const reply = await fresh.app.inject(toRequest('', path, method, operation))
    expect([operation['x-operation'], reply.statusCode]).toEqual([operation['x-operation'], 200])
  }
})

test('each subscription example succeeds with the bearer token of the documentation page', async () => {
  const fresh = buildTestApp()
  for (const { path, method, operation } of operationsOf(await describe(fresh, 'events'))) {
    if (operation['x-example-needs']) continue
    const request = toRequest('', path, method, operation)
    const headers = { ...(request.headers as Record<string, string>), authorization: 'Bearer token-home' }
    const reply = await fresh.app.inject({ ...request, headers })
    expect([operation.operationId, reply.statusCode]).toEqual([operation.operationId, 200])
  }
  expect((await fresh.app.inject('/docs/start.js')).payload).toContain("preauthorizeApiKey('bearer', 'token-home')")
})

test('the example of each control API operation without prerequisites succeeds on a new server', async () => {
  const operations = operationsOf(await describe(buildTestApp(), 'control'))
  const isStream = ({ responses }: (typeof operations)[number]['operation']) =>
    'text/event-stream' in (responses[200]?.content ?? {})
  const known = operations.filter(({ operation }) => !operation['x-example-needs'] && !isStream(operation))
  expect(known.length).toBeGreaterThan(30)
  for (const { path, method, operation } of known) {
    const reply = await buildTestApp().app.inject(toRequest('', path, method, operation))
    const success = Object.keys(operation.responses).find((status) => status.startsWith('2'))
    expect([operation.operationId, reply.statusCode, reply.payload]).toEqual([
      operation.operationId,
      Number(success),
      reply.payload,
    ])
  }
})

test('each control API operation with a body has an example of the body, except restoreSnapshot', async () => {
  const operations = operationsOf(await describe(buildTestApp(), 'control'))
  const withBody = operations.flatMap(({ operation }) =>
    operation.requestBody ? [[operation.operationId, Object.values(operation.requestBody.content)[0]!] as const] : [],
  )
  expect(withBody.length).toBeGreaterThan(20)
  expect(withBody.filter(([, media]) => media.example === undefined).map(([id]) => id)).toEqual(['restoreSnapshot'])
})

test('the examples of control API operations with a body succeed in sequence on one server', async () => {
  const { app, address, stream } = await startEvents()
  const description = (await (await fetch(`${address}/openapi/control.json`)).json()) as Description
  // This server has no MCP tools. Their tests are in test/tools/mcp.
  const sent = operationsOf(description).filter(
    ({ operation }) => operation.requestBody && operation.operationId !== 'speakMcp',
  )
  for (const { path, method, operation } of sent) {
    const { url, payload, headers } = toRequest('', path, method, operation)
    const [body, type] =
      operation.operationId === 'restoreSnapshot'
        ? [(await app.inject('/_control/snapshot')).payload, SNAPSHOT_TYPE]
        : [JSON.stringify(payload), 'application/json']
    const isOfStream = path.includes('{subscriptionId}')
    const filled = isOfStream ? path.replace('{subscriptionId}', (await stream()).subscriptionId) : String(url)
    const request = { method: method.toUpperCase(), headers: { ...(headers as object), 'content-type': type }, body }
    const reply = await fetch(address + filled, request)
    expect([operation.operationId, Math.floor(reply.status / 100), await reply.text()]).toMatchObject([
      operation.operationId,
      2,
      expect.any(String),
    ])
  }
})

test('the SOAP call on the billing page succeeds unchanged', async () => {
  const { app } = buildTestApp()
  const { payload } = await app.inject('/docs/billing')
  const [, call = ''] = / -d &#39;(.*?)&#39;/s.exec(payload)!
  const body = call.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  const headers = { 'content-type': 'text/xml; charset=utf-8' }
  const reply = await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers, payload: body })
  expect([reply.statusCode, reply.payload]).toEqual([200, expect.stringMatching(/<output>\w{96}<\/output>/)])
})

test("the example for the wallet's availability check succeeds and includes a value for serviceType", async () => {
  const fresh = buildTestApp()
  const { path, method, operation } = operationsOf(await describe(fresh, 'wallet'))[0]!
  expect(operation.parameters?.find(({ name }) => name === 'serviceType')?.example).toBe('WALLET')
  expect((await fresh.app.inject(toRequest('', path, method, operation))).statusCode).toBe(200)
  for (const { content } of Object.values(operation.responses)) {
    expect(Object.keys(content ?? {})).toEqual(['application/json;charset=UTF-8'])
  }
})

test('the schemas in support.json have the names used in document 1', async () => {
  const { paths, components } = await describe(buildTestApp(), 'support')
  const bodyOf = (path: string) => paths[path]!['post']!.requestBody!.content['application/json']!.schema
  const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  expect(bodyOf('/stg/us/dealer/customers')).toEqual(named('CustomerDraft'))
  expect(bodyOf('/stg/us/dealer/customers/{id}')).toEqual(named('CustomerChanges'))
  expect(bodyOf('/stg/us/dealer/customers/{customerId}/products')).toEqual(named('DealerProductDraft'))
  for (const path of ['ticket', 'ticket/reschedule']) {
    expect(bodyOf(`/stg/us/dealer/customers/${path}`)).toMatchObject({ allOf: [named('DealerTicket')] })
  }
  expect(components.schemas).toMatchObject({ DealerTicket: {}, Customer: {}, DealerProduct: {} })
})

test('the request schemas in support.json do not require fields that the server sets', async () => {
  const { schemas } = (await describe(buildTestApp(), 'support')).components
  const requiredOf = (name: string) => schemas[name]!.required
  expect(requiredOf('CustomerDraft')).toEqual([
    'firstName',
    'lastName',
    'email',
    'phoneNumber',
    'address1',
    'city',
    'state',
    'zipCode',
  ])
  expect(requiredOf('CustomerChanges')).toBeUndefined()
  expect(requiredOf('DealerProductDraft')).toEqual(['modelCode', 'serialNumber', 'serviceType'])
  expect(requiredOf('Customer')).toEqual(expect.arrayContaining(['bpNo', 'country', 'createdAt', 'updatedAt']))
})

test('support.json describes which fields can be cleared with null or an empty string', async () => {
  const { CustomerChanges } = (await describe(buildTestApp(), 'support')).components.schemas
  const { properties } = CustomerChanges as { properties: Record<string, object> }
  for (const name of ['address2', 'mobilePhone']) {
    const description = expect.stringMatching(/null or an empty string removes it/i)
    expect(properties[name]).toMatchObject({ description })
    expect(JSON.stringify(properties[name])).toContain('"null"')
  }
  expect(properties['address1']).toMatchObject({ type: 'string', minLength: 1 })
})

test.each([
  ['stores', 'Store', { properties: { storeName: { type: 'string' } } }],
  ['tickets', 'ServiceRequest', { $ref: '#/components/schemas/ServiceRequest' }],
  ['customers/{customerId}/products', 'DealerProduct', { $ref: '#/components/schemas/DealerProduct' }],
])('the response schema for the list of %s describes its items', async (path, item, items) => {
  const { paths, components } = await describe(buildTestApp(), 'support')
  const { schema } = paths[`/stg/us/dealer/${path}`]!['get']!.responses['200']!.content!['application/json']!
  expect(schema).toEqual({ $ref: `#/components/schemas/ItemWrapperOf${item}` })
  expect(components.schemas[`ItemWrapperOf${item}`]).toMatchObject({ properties: { items: { type: 'array', items } } })
})

test('support.json has all tags, defaults and required flags of document 1', async () => {
  const description = await describe(buildTestApp(), 'support')
  expect(description.tags.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Dealer Portal', 'Symptom Movie', 'Server DownTime', 'We come to you', 'Range Recall']),
  )
  expect(description.tags).toHaveLength(23)
  const operations = new Map(operationsOf(description).map(({ operation }) => [operation['x-operation'], operation]))
  const parameter = (number: number, name: string) =>
    operations.get(number)!.parameters!.find((each) => each.name === name)!
  for (const number of [16, 25]) {
    expect(parameter(number, 'inWarranty').schema.default).toBe(true)
    expect(parameter(number, 'isReschedule').schema.default).toBe(false)
    expect(parameter(number, 'type').schema.default).toBe('PI')
  }
  for (const [number, name] of [
    [18, 'subType'],
    [27, 'subType'],
    [30, 'zipCode'],
    [36, 'zipCode'],
  ] as const) {
    expect(parameter(number, name)).toMatchObject({
      required: false,
      description: expect.stringContaining('required by the server (choice required-bodies)'),
    })
  }
  expect(parameter(30, 'zipCode').schema).toMatchObject({ pattern: '^[0-9]{5}$' })
  expect(parameter(38, 'bespoke').schema).toMatchObject({ enum: ['Y', ''] })
  expect(parameter(17, 'accessToken')).toMatchObject({ example: 'token-home' })
  for (const number of [4, 15, 22, 26, 33]) expect(operations.get(number)!.requestBody!.required).toBe(false)
  for (const number of [7, 8, 9, 13, 14]) expect(operations.get(number)!.requestBody!.required).toBe(true)
  for (const [number, status, words] of [
    [4, 400, 'invalid customer feedback'],
    [16, 404, 'schedule not found'],
    [24, 404, 'device not found'],
    [25, 404, 'schedule not found'],
    [30, 400, 'invalid zip code'],
    [32, 404, 'user not found'],
  ] as const) {
    expect(operations.get(number)!.responses[status]!.description).toBe(words)
  }
})

test('the value sets of cards are schemas in wallet.json and control.json', async () => {
  const fresh = buildTestApp()
  for (const name of ['wallet', 'control']) {
    const { schemas } = (await describe(fresh, name)).components
    const sets = ['SerialType', 'PtFormat', 'PtSubFormat', 'Locations', 'AdditionalInformation', 'Classification']
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(sets))
  }
})

test('no enum in control.json mixes numbers and strings', async () => {
  const text = JSON.stringify(await describe(buildTestApp(), 'control'))
  expect(text).toMatch(/"enum":\["1","2","3","4","5"\]/)
  expect(text).not.toMatch(/"enum":\["1"[^\]]*\]\},\{"type":"number"/)
})

test('an API description names its world as the server and never contains port 80', async () => {
  const fresh = buildTestApp()
  await fresh.app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'tuesday' } })
  for (const name of Object.keys(apis)) {
    expect((await describe(fresh, name, '/w/tuesday')).servers[0]!.url).toBe('/w/tuesday')
    const description = await describe(fresh, name)
    expect(description.servers[0]!.url).toBe('/')
    expect(JSON.stringify(description)).not.toMatch(/localhost:80\/|\{\{/)
  }
})
