import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultDraft, startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { toolNames } from '../../../src/tools/mcp/context.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'
import { call as soapCall, SECRET } from '../../helpers/documents/soap.ts'
import { type Agent, connectAgent, overHttp } from '../../helpers/mcp-client.ts'
import { rejectedCalls } from './rejected-calls.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'tools' })
})
afterAll(() => cloud.stop())

type ToolResult = Awaited<ReturnType<Agent['client']['callTool']>>

function textOf({ content: [first] }: ToolResult): string {
  return first?.type === 'text' ? first.text : ''
}

const connect = () => connectAgent(overHttp(cloud.url))

test('the list of all tools, with schemas and hints, has at most 8,000 characters', async () => {
  const { client } = await connect()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([...toolNames])
  for (const { inputSchema, outputSchema, annotations, description } of tools) {
    expect(inputSchema).toMatchObject({ type: 'object', properties: { world: { type: 'string' } } })
    expect(outputSchema).toBeUndefined()
    expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) })
    expect(description).toMatch(/\w{3}/)
  }
  expect(JSON.stringify(tools).length).toBeLessThan(8000)
})

test('a tool returns its result as JSON in one text block, without structured content', async () => {
  const { client } = await connect()
  for (const name of toolNames.filter((each) => !['call', 'explain', 'verify', 'examine'].includes(each))) {
    const given = name === 'inject_fault' ? { action: 'list' } : {}
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
    expect([name, isError, structuredContent]).toEqual([name, undefined, undefined])
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/^\{.*\}$/) }])
  }
})

test('an operation can be given by its number, its operationId, or its method and path', async () => {
  const { call } = await connect()
  for (const operation of [30, 'getGuestZipCode', 'GET /stg/us/guest/zipCode']) {
    const { value } = await call('call', { operation, query: { zipCode: '07660' } })
    expect([operation, value]).toMatchObject([operation, { status: 200, request: { operation: 30 } }])
  }
})

test.each(rejectedCalls)('the tool %s rejects %j with a one-line message', async (tool, input, told) => {
  const { call } = await connect()
  const { isError, text } = await call(tool, input)
  expect([isError, text]).toEqual([true, expect.stringMatching(told)])
  if (tool !== 'call') expect(text).not.toMatch(/\b(?:body|query|path)\.\w|--(?!allow-run|read-only|no )|_control/)
  expect(text).not.toMatch(/\n|\bat \S+:\d+|node_modules|\.ts:/)
  expect(text.length).toBeLessThan(1100)
})

test('the tool call reports a response that a fault truncates or drops', async () => {
  const world = await cloud.world({ name: 'faulty' })
  const { call } = await connectAgent(overHttp(world.url))
  for (const respond of [{ reset: true }, { cut: 10 }] satisfies NonNullable<FaultDraft['respond']>[]) {
    await world.faults.add({ match: { operation: 30 }, respond, times: 1, name: 'cutter' })
    const { isError, text } = await call('call', { operation: 30, query: { zipCode: '07660' } })
    const [entry] = await world.journal()
    expect([isError, text]).toEqual([true, expect.stringMatching(`^the connection was cut .* entry ${entry!.id}$`)])
  }
  const [, entry] = await world.journal()
  const { reasons } = (await call('explain', { entry: entry!.id })).value
  expect(reasons).toEqual([
    expect.objectContaining({ message: expect.stringContaining('the injected fault cutter applied') }),
  ])
})

test('the MCP endpoint has the access rules of the control API', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const ask = (url: string, more: Record<string, string> = {}) =>
    fetch(`${url}/_control/mcp`, { method: 'POST', body, headers: { ...headers, ...more } })
  expect((await ask(cloud.url, { origin: 'http://evil.example' })).status).toBe(403)
  expect((await ask(cloud.url, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(403)
  const locked = await startVendorCloud({ settings: { CONTROL_KEY: 'a-key-of-twenty-letters' } })
  try {
    const refused = await ask(locked.url)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
    const agent = await connectAgent(overHttp(locked.url, { 'x-control-key': 'a-key-of-twenty-letters' }))
    expect((await agent.call('world')).value).toMatchObject({ world: 'default' })
  } finally {
    await locked.stop()
  }
})

test('the result of a call without required fields lists each finding once', async () => {
  const { client } = await connect()
  const answer = await client.callTool({ name: 'call', arguments: { operation: 8, body: {} } })
  expect(JSON.stringify(answer).length).toBeLessThan(4000)
  const result = JSON.parse(textOf(answer)) as { why: { message: string }[]; body: { error: object }; cut: string }
  const { why, body, cut } = result
  const said = why.flatMap(({ message }) => message.split('; '))
  expect(said.length).toBeGreaterThan(5)
  expect(new Set(said).size).toBe(said.length)
  expect([Object.keys(body.error), cut]).toEqual([['code'], expect.stringMatching(/^`why` replaces error.message/)])
})

test('the result of a call with a long invalid body has at most 4,000 characters', async () => {
  const { client } = await connect()
  const subscriptionFilters = Array.from({ length: 40 }, () => ({ type: 'NO', value: 3 }))
  const wrong = { bpNo: 5, companyId: 5, modelCode: 5, serialNumber: {}, serviceType: 'X', symCode1: [], ascCode: 4 }
  for (const [operation, body] of [
    ['createSubscription', { name: 5, subscriptionFilters }],
    [8, { ...wrong, symCode2: 7, symCode3: 8, appointmentDate: 'no', timeSlot: 3, storeNumber: 3 }],
    [7, 'x'.repeat(9000)],
  ] as const) {
    const answer = await client.callTool({ name: 'call', arguments: { operation, body } })
    expect(JSON.stringify(answer).length, String(operation)).toBeLessThan(4000)
    const { status, request } = JSON.parse(textOf(answer)) as { status: number; request: object }
    expect([status, Object.keys(request)]).toEqual([400, ['operation', 'method', 'path', 'headers']])
  }
})

test.each([
  ['a page of 100 tickets', { operation: 19, query: { limit: 100 } }, 'object'],
  ['a list of symptoms', { operation: 17 }, 'object'],
  ['an error page', { operation: 30, query: { zipCode: '07660' } }, 'string'],
])('call shortens %s to at most 4,000 characters, and returns the full body on request', async (_, input, type) => {
  const world = await cloud.world()
  await world.faults.add({ match: { operation: 30 }, respond: { status: 502, body: `<p>${'"'.repeat(9000)}</p>` } })
  const { client } = await connect()
  const ask = (more: object) => client.callTool({ name: 'call', arguments: { world: world.name, ...input, ...more } })
  const cut = await ask({})
  expect(JSON.stringify(cut).length).toBeLessThan(4000)
  const { status, body } = JSON.parse(textOf(cut)) as { status: number; body: unknown }
  const { body: full } = JSON.parse(textOf(await ask({ full: true }))) as { body: unknown }
  expect([status >= 200, typeof body, typeof full]).toEqual([true, type, type])
  const { totalCount } = full as { totalCount?: number }
  expect(body).toEqual(type === 'object' ? expect.objectContaining({ totalCount }) : expect.any(String))
  expect(textOf(cut)).toContain('call again with full: true')
  await world.delete()
})

test('the tool call shortens a long query of the request that its result contains', async () => {
  const { client } = await connect()
  const query = { zipCode: '07660', extra: '"'.repeat(2000) }
  const result = await client.callTool({ name: 'call', arguments: { operation: 30, query } })
  expect(JSON.stringify(result).length).toBeLessThan(4000)
  expect(JSON.parse(textOf(result))).toMatchObject({ status: 200, body: { city: 'Ridgefield Park' } })
})

test('call returns a short JSON body as JSON', async () => {
  const { call } = await connect()
  const { value } = await call('call', { operation: 30, query: { zipCode: '07660' } })
  expect(value).toMatchObject({ status: 200, body: { city: 'Ridgefield Park' } })
})

test.each([
  ['getSubscription', { subscriptionId: '..' }],
  ['getSubscription', { subscriptionId: '.' }],
  ['GET /subscriptions/%2E%2E', {}],
  [20, { id: '..' }],
])('call rejects the operation %s with a dot segment in its path: %j', async (name, params) => {
  const { call } = await connect()
  const { isError, text } = await call('call', { operation: name, params })
  expect([isError, text]).toEqual([true, expect.stringMatching(/^params\.(?:subscriptionId|id) must not be \.\.?, /)])
})

test('a JSON-RPC batch is rejected with 400', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (const size of [0, 1, 100]) {
    const messages = Array.from({ length: size }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const reply = await fetch(`${cloud.url}/_control/mcp`, { method: 'POST', headers, body: JSON.stringify(messages) })
    const error = { code: -32_600, message: expect.stringContaining('one message per request') }
    expect([reply.status, await reply.json()]).toEqual([400, { jsonrpc: '2.0', error, id: null }])
  }
})

test('a stream fault truncates an event after its ID line', async () => {
  const { url } = await cloud.world()
  const { call } = await connectAgent(overHttp(url))
  const body = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const { value } = await call('call', { operation: 'createSubscription', body })
  const { subscriptionId, registrationUrl } = value['body'] as { subscriptionId: string; registrationUrl: string }
  const stream = await openStream(registrationUrl)
  await stream.next()
  await call('inject_fault', { action: 'stream', subscriptionId, effect: 'truncate', at: 'id' })
  const [light, capability, attribute] = ['aaaaaaaa-0000-4000-8000-000000000001', 'switch', 'switch']
  await call('trigger_event', { action: 'device', deviceId: light, capability, attribute, value: 'on' })
  expect([await stream.ended, stream.text]).toEqual(['cut', expect.stringMatching(/\nid: 1-\d+\n$/)])
})

test('over HTTP, the result of creating a world says that calls must name it', async () => {
  const { call } = await connect()
  for (const input of [{ action: 'make', world: 'to-name' }, { action: 'fork' }]) {
    const { value } = await call('world', input)
    const next = `pass world ${value['world']} in each call: a call without it uses default`
    expect(value).toMatchObject({ next })
  }
})

test('a message with the key __proto__ or invalid JSON is rejected with 400', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const call = (input: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call","arguments":${input}}}`
  for (const [body, told] of [
    [call('{"operation":30,"__proto__":{"a":1}}'), 'has a key __proto__, which is not allowed'],
    [call('{"operation":30,"query":{"\\u005f_proto__":"1"}}'), 'has a key __proto__, which is not allowed'],
    [call('{'), 'the body is not valid JSON'],
  ] as const) {
    const reply = await fetch(`${cloud.url}/_control/mcp`, { method: 'POST', body, headers })
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.stringContaining(told) } },
    ])
  }
})

test('a tool call without a world uses the world in the endpoint URL', async () => {
  const world = await cloud.world({ name: 'addressed' })
  const { call } = await connectAgent(overHttp(world.url))
  expect((await call('call', { operation: 30, query: { zipCode: '07660' } })).value).toMatchObject({
    world: 'addressed',
    entry: 1,
  })
  expect(await world.journal()).toHaveLength(1)
})

test('calls to the MCP endpoint are not recorded in a case or in the journal', async () => {
  const world = await cloud.world({ name: 'quiet', record: true })
  const { call } = await connectAgent(overHttp(world.url))
  await call('explain', { entry: 1 })
  await call('time')
  expect([await world.journal(), (await world.recording.read()).match(/"step"/g)]).toEqual([[], null])
})

test('the tool call accepts any caller of the world', async () => {
  const { call } = await connect()
  for (const as of ['web-zoe-solano', 'splus-carol', 'none']) {
    const { value } = await call('call', { operation: 30, as, query: { zipCode: '07660' } })
    expect([as, value['status']]).toEqual([as, 200])
  }
})

test('server.json has the name and version of the package', () => {
  const root = join(import.meta.dirname, '../../..')
  const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>
  const { version, mcpName, name } = readJson('package.json')
  expect(readJson('server.json')).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] })
  expect(String(readJson('server.json')['description']).length).toBeLessThanOrEqual(100)
  const skill = readFileSync(join(root, 'skills/vendor-cloud/SKILL.md'), 'utf8')
  expect(skill).toMatch(/^---\nname: vendor-cloud\ndescription: .+\n---\n/)
  expect(skill.split(/\s+/).length).toBeLessThanOrEqual(1500)
})

test('a filter of the tool journal accepts the highest possible ID', async () => {
  const { call } = await connect()
  expect((await call('journal', { before: 2_147_483_647 })).isError).toBe(false)
})

test('journal and verify accept a status class or range', async () => {
  const world = await cloud.world({ name: 'ranges' })
  const { call } = await connectAgent(overHttp(world.url))
  for (const zipCode of ['07660', '1']) await call('call', { operation: 30, query: { zipCode } })
  for (const status of [400, '400', '4xx', '400-499']) {
    expect((await call('journal', { status })).value).toMatchObject({ entries: [{ id: 2 }], totalCount: 1 })
    expect((await call('verify', { match: { status }, count: 1 })).value).toMatchObject({ entries: [2] })
  }
})

test('verify accepts a number as the value of a query parameter', async () => {
  const { call } = await connect()
  await call('call', { operation: 30, query: { zipCode: 10_001 } })
  const match = { operation: 30, query: { zipCode: 10_001 } }
  expect((await call('verify', { match })).value).toMatchObject({ matched: true })
})

test('verify omits similar requests of other operations if it finds one of the same', async () => {
  const world = await cloud.world({ name: 'similar' })
  const { call } = await connectAgent(overHttp(world.url))
  const nearestOf = async () => {
    const { value } = await call('verify', { match: { operation: 30, query: { zipCode: '07660' } } })
    return value['nearest'] as object[]
  }
  const zipCode = (got: string) => `query.zipCode: expected "07660", got ${got}`
  await call('call', { operation: 16 })
  expect(await nearestOf()).toMatchObject([
    { operation: 16, differs: ['operation: expected 30, got 16', zipCode('none')] },
  ])
  await call('call', { operation: 30, query: { zipCode: '10001' } })
  expect(await nearestOf()).toMatchObject([{ operation: 30, differs: [zipCode('"10001"')] }])
})

test('journal entries returned by tools contain no issued secrets and no values of secret headers', async () => {
  const { call, client } = await connect()
  const world = await cloud.world({ name: 'told' })
  const { accessToken } = await world.tokens.issue({
    user: 'alice-home',
    scopes: ['r:devices:*'],
    locations: [],
    expiresIn: 60,
  })
  const headers = {
    'request-source': 'vendor.com',
    'content-type': 'application/json',
    authorization: `Basic ${btoa('carol:pass-of-carol')}`,
    cookie: 'session=value-of-a-cookie',
  }
  const body = JSON.stringify({ comment: `as ${accessToken} said`, password: 'x' })
  await world.fetch(`/stg/us/guest/customerFeedback?access_token=${accessToken}`, { method: 'POST', headers, body })
  const soap = await world.fetch('/iap/ws/RTCService', {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=UTF-8' },
    body: soapCall('createServiceToken', { secret: SECRET }),
  })
  const [, serviceToken = ''] = /<output>(\w{96})</.exec(await soap.text()) ?? []
  const entries = await world.journal()
  expect(entries.length).toBeGreaterThan(1)
  const shown: string[] = [(await call('journal', { world: 'told' })).text]
  for (const { id } of entries) {
    shown.push((await call('journal', { world: 'told', entry: id })).text)
    shown.push(JSON.stringify(await client.readResource({ uri: `vendor-cloud://journal/told/${id}` })))
  }
  shown.push((await call('explain', { world: 'told', entry: entries.at(-1)!.id })).text)
  const wrong = { header: { authorization: 'x', cookie: 'x' }, query: { access_token: 'x' }, body: { comment: 'x' } }
  shown.push((await call('verify', { world: 'told', match: { path: '*/customerFeedback', ...wrong } })).text)
  const secrets = [accessToken, serviceToken, btoa('carol:pass-of-carol'), 'value-of-a-cookie']
  expect(secrets.map((secret) => secret.length > 10)).toEqual([true, true, true, true])
  expect(shown.flatMap((text) => secrets.filter((secret) => text.includes(secret)))).toEqual([])
  const explained = shown.filter((text) => text.includes('"note":"{{token:1}} replaces a secret.'))
  expect(explained.length).toBeGreaterThan(1)
})
