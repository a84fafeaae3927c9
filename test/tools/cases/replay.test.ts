import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { parseCase } from '../../../src/contract/files/case.ts'
import { CaseRecorder } from '../../../src/server/recording/recorder.ts'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { openFrames } from './open-frames.ts'
import { createCustomers, LIGHT, recordCase, scenarios } from './record-scenarios.ts'

const recorded = [...Object.keys(scenarios), 'random-world']
const read = (name: string) => readFile(join(import.meta.dirname, `${name}.jsonl`), 'utf8')

async function open() {
  const server = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(() => server.close())
  return server
}

async function openLight(world: string) {
  const scopes = ['r:devices:*', 'r:locations:*']
  const locations = ['11111111-0000-4000-8000-000000000001']
  const grant = { user: 'alice-home', scopes, locations, expiresIn: 3600 }
  const { json: token } = await call(`${world}/_control/tokens`, 'POST', grant)
  const bearer = { authorization: `Bearer ${String(token['accessToken'])}` }
  const filters = { name: 'before', subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT] }] }
  const { json } = await call(`${world}/subscriptions`, 'POST', filters, bearer)
  const address = String(json['registrationUrl'])
  return { stream: await openFrames(address), address }
}

test.each(recorded)('the case %s replays byte for byte in memory and on disk', async (name) => {
  const text = await read(name)
  expect(await replayText(text)).toMatchObject({ same: true })
  expect(await replayText(text, { DATA_DIR: makeTemporaryFolder() })).toMatchObject({ same: true })
})

test('a case from an unseeded world with a running clock replays byte for byte', async () => {
  const { url } = await open()
  const run = async (world: string) => {
    for (const each of Object.values(scenarios)) await each(world)
  }
  const text = await recordCase(url, run, { name: 'live' })
  expect(text.split('\n').length).toBeGreaterThan(30)
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a page that a fault returned in another charset replays byte for byte', async () => {
  const { url } = await open()
  const run = async (world: string) => {
    const headers = { 'content-type': 'text/html; charset=iso-8859-1' }
    const respond = { status: 502, headers, body: '<h1>Bad gateway, “désolé”</h1>' }
    await call(`${world}/_control/faults`, 'POST', { match: { operation: 30 }, respond })
    const web = { 'request-source': 'vendor.com' }
    await fetch(`${world}/stg/us/guest/zipCode?zipCode=07660`, { headers: web })
  }
  const text = await recordCase(url, run, { name: 'charset' })
  expect(text).toContain('désolé')
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a case stores responses without variation and replays under a profile with variation', async () => {
  const { url } = await open()
  const kinds = ['json-extra', 'json-null', 'json-enum', 'json-order', 'http-created', 'http-gzip', 'http-chunked']
  const seen: unknown[] = []
  const run = async (world: string) => {
    await call(`${world}/_control/profile`, 'PUT', { profile: 'odd', variation: { kinds } })
    for (let i = 0; i < 8; i++) {
      const web = { 'request-source': 'vendor.com' }
      const feedback = { rating: 5, comment: 'good' }
      seen.push((await call(`${world}/stg/us/guest/customerFeedback`, 'POST', feedback, web)).status)
      const { json } = await call(`${world}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, web)
      seen.push(Object.keys(json).some((name) => name.startsWith('further')))
    }
  }
  const text = await recordCase(url, run, { name: 'odd' })
  expect(new Set(seen)).toEqual(new Set([200, 201, true, false]))
  expect(text).not.toContain('"status":201')
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a replay reports the first step whose response changed, with the changed field', async () => {
  const text = (await read('booking-race')).replace('"body":"{\\"schedules\\":[{\\"date\\":\\"', '$&x')
  const changed = text === (await read('booking-race')) ? text.replace(/(\\"remaining\\":)\d+/, '$177') : text
  const { same, first } = await replayText(changed)
  expect(same).toBe(false)
  expect(first).toMatchObject({ step: 1, differences: [{ kind: 'value' }] })
  expect(first!.differences[0]!.path).toContain('reply.body')
})

test('a replay names the element of a SOAP response that changed', async () => {
  const text = (await read('month-end')).replace(/<subscriptionStatus>\w+/, '<subscriptionStatus>CANCEL')
  const { first } = await replayText(text)
  const path = 'reply.body.getSubscriptionStatusResponse.output.subscriptionStatus'
  expect(first!.differences).toEqual([{ path, kind: 'value', recorded: 'CANCEL', actual: 'ACTIVE' }])
})

test('a replay names the elements of a SOAP fault that replaced a response', async () => {
  const text = (await read('month-end')).replace('<secret>', '<secret>9')
  const { first } = await replayText(text)
  expect(first!.differences).toMatchObject([
    { path: 'reply.status', kind: 'status', recorded: 200, actual: 500 },
    { path: 'reply.body.createServiceTokenResponse', kind: 'missing' },
    { path: 'reply.body.Fault', kind: 'further', actual: { faultstring: expect.any(String) } },
  ])
})

test('a replay reports an unexpectedly opened stream as a difference without waiting for its end', async () => {
  const text = (await read('stream-resumed')).replace(
    '"content-type":"text/event-stream"',
    '"content-type":"text/plain"',
  )
  const { same, first } = await replayText(text)
  expect([same, first!.what]).toEqual([false, expect.stringContaining('GET ')])
  expect(first!.differences.map(({ path }) => path)).toContain('reply.headers.content-type')
})

test('a case contains the events of a stream that was opened before the recording', async () => {
  const { url } = await open()
  const world = `${url}/w/open-before`
  await call(`${url}/_control/worlds`, 'POST', { name: 'open-before' })
  const { stream } = await openLight(world)
  await stream.take(1)
  await call(`${world}/_control/recordings`, 'POST', {})
  const event = { capability: 'switch', attribute: 'switch', value: 'on' }
  await call(`${world}/_control/devices/${LIGHT}/events`, 'POST', event)
  await stream.take(1)
  const text = await (await fetch(`${world}/_control/recordings/current`)).text()
  expect(parseCase(text).steps.map((step) => 'frame' in step)).toEqual([false, true])
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a scenario that started before the recording continues in it and replays without differences', async () => {
  const { url } = await open()
  const world = `${url}/w/playing`
  await call(`${url}/_control/worlds`, 'POST', { name: 'playing', frozen: true })
  const step = { afterMs: 60_000, deviceId: LIGHT, capability: 'switch', attribute: 'switch', value: 'on' }
  expect((await call(`${world}/_control/scenarios`, 'POST', { repeat: 2, steps: [step] })).status).toBe(200)
  await call(`${world}/_control/recordings`, 'POST', {})
  const { stream } = await openLight(world)
  await call(`${world}/_control/clock/advance`, 'POST', { duration: 'PT3M' })
  await stream.take(3)
  const text = await (await fetch(`${world}/_control/recordings/current`)).text()
  expect(parseCase(text).steps.filter((each) => 'frame' in each)).toHaveLength(3)
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a call that started before the recording generates the same IDs as without recording', async () => {
  const { url, worlds } = await open()
  const bpNoIn = async (world: string, work: () => Promise<unknown>) => {
    await call(`${url}/_control/worlds`, 'POST', { name: world, seed: 'one' })
    const match = { path: '/stg/us/dealer/customers' }
    await call(`${url}/w/${world}/_control/faults`, 'POST', { match, delayMs: 60_000 })
    const { journal } = worlds.find(world)!
    const seen = journal.revision()
    const customer = createCustomers(`${url}/w/${world}`, 1)
    expect(await journal.next(seen, 10_000)).toBeGreaterThan(0)
    await work()
    await call(`${url}/w/${world}/_control/faults`, 'DELETE')
    return customer
  }
  const begin = () => call(`${url}/w/recorded/_control/recordings`, 'POST', {})
  expect(await bpNoIn('recorded', begin)).toEqual(await bpNoIn('plain', async () => {}))
})

test('a response that a fault dropped is dropped again during the replay', async () => {
  const { url } = await open()
  const text = await recordCase(
    url,
    async (world) => {
      await call(`${world}/_control/faults`, 'POST', {
        match: { path: '/stg/us/customerFeedback' },
        when: 'after',
        respond: { reset: true },
      })
      const headers = { 'request-source': 'vendor.com', 'content-type': 'application/json' }
      const body = JSON.stringify({ rating: 5, comment: 'good' })
      await fetch(`${world}/stg/us/customerFeedback`, { method: 'POST', headers, body }).catch(() => {})
      await call(`${world}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, headers)
    },
    { name: 'lost' },
  )
  expect(text).toContain('"reply":{}')
  expect(await replayText(text)).toMatchObject({ same: true })
})

test.each([
  ['timeout', { respond: { timeout: true } }],
  ['throttle', { respond: { throttle: 5 } }],
  ['delay', { delayMs: 20_000 }],
  ['range of delays', { delayMs: { min: 20_000, max: 30_000 } }],
  ['median delay', { delayMs: { p50: 20_000, p99: 30_000 } }],
])('a replay does not wait for the %s of a fault', async (_name, fault) => {
  const { url } = await open()
  const text = await recordCase(
    url,
    async (world) => {
      const address = `${world}/stg/us/guest/zipCode?zipCode=07660`
      const headers = { 'request-source': 'vendor.com' }
      const match = { path: '/stg/us/*' }
      await call(`${world}/_control/faults`, 'POST', { match, times: 1, ...fault })
      await fetch(address, { headers, signal: AbortSignal.timeout(200) })
        .then((response) => response.text())
        .catch(() => {})
      await call(`${world}/_control/faults`, 'DELETE')
      await call(address, 'GET', undefined, headers)
    },
    { name: 'waiting' },
  )
  const startedAt = performance.now()
  expect(await replayText(text)).toMatchObject({ same: true })
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test.each([
  ['drop', ['welcome', 'on']],
  ['truncate', ['welcome', 'on']],
  ['duplicate', ['off', 'off', 'on', 'welcome', 'on']],
  ['delay', ['off', 'on', 'welcome', 'on']],
  ['goodbye', ['goodbye', 'welcome', 'on']],
  ['stall', ['off', 'on', 'welcome', 'on']],
  ['no-welcome', ['off', 'on', 'on']],
])('a case with the stream fault %s contains the received frames and replays', async (action, frames) => {
  const { url } = await open()
  const run = async (world: string) => {
    const emit = (value: string) =>
      call(`${world}/_control/devices/${LIGHT}/events`, 'POST', { capability: 'switch', attribute: 'switch', value })
    const { stream, address } = await openLight(world)
    await stream.take(1)
    const { json } = await call(`${world}/_control/streams`, 'GET')
    const [{ subscriptionId } = { subscriptionId: '' }] = json['items'] as { subscriptionId: string }[]
    await call(`${world}/_control/streams/${subscriptionId}/chaos`, 'POST', { action, ms: 3000 })
    for (const value of ['off', 'on']) await emit(value)
    const again = frames.lastIndexOf('welcome')
    await stream.take(again < 0 ? frames.length - 1 : again)
    const next = await openFrames(address)
    await emit('on')
    await next.take(again < 0 ? 1 : 2)
  }
  const text = await recordCase(url, run, { name: 'disturbed' })
  const recorded = parseCase(text).steps.flatMap((step) => ('frame' in step ? [step.frame.data] : []))
  const values = recorded.map((data) => (typeof data === 'string' ? data : Object(data).deviceEvent.value))
  expect(values).toEqual(['welcome', ...frames])
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a request that a fault rejected on arrival is a step of the case', async () => {
  const { url } = await open()
  const headers = { 'request-source': 'vendor.com', 'content-type': 'application/json' }
  const text = await recordCase(
    url,
    async (world) => {
      const match = { path: '/stg/us/*' }
      await call(`${world}/_control/faults`, 'POST', { match, respond: { status: 503 }, times: 2 })
      await call(`${world}/_control/faults`, 'POST', { match, respond: { reset: true }, times: 1 })
      const feedback = { rating: 5, comment: 'good' }
      await call(`${world}/stg/us/customerFeedback`, 'POST', feedback, headers)
      for (let i = 0; i < 3; i++)
        await fetch(`${world}/stg/us/guest/zipCode?zipCode=07660`, { headers }).catch(() => {})
    },
    { name: 'struck' },
  )
  const statuses = parseCase(text).steps.map((step) => 'call' in step && step.reply.status)
  expect(statuses).toEqual([false, false, 503, 503, undefined, 200])
  expect(await replayText(text)).toMatchObject({ same: true })
})

const about = { version: '0.1.0', world: 'w', start: '2026-05-06T16:00:00.000Z' }
const emptyHeader = { case: 2, ...about, seed: 's', head: 0, tokens: [] }
const fixtures = { name: 'default', sha256: 'f'.repeat(64) }

test.each([
  ['not JSON', 'case'],
  ['with a header of an unknown version', '{"case":3}'],
  ['with a header that has no initial state', JSON.stringify(emptyHeader)],
  [
    'with changes that a newer version wrote',
    JSON.stringify({ ...emptyHeader, fixtures, changed: { schemaVersion: 99 } }),
  ],
  ['with a line that is not a step', `${JSON.stringify({ ...emptyHeader, snapshot: {} })}\n{}`],
])('a case that is %s is rejected with a usage error', async (_, text) => {
  await expect(replayText(text)).rejects.toMatchObject({ name: 'UsageError' })
})

test('a case contains no secrets, whether they were issued before or during the recording', async () => {
  const { url } = await open()
  await call(`${url}/_control/worlds`, 'POST', { name: 'secrets' })
  const world = `${url}/w/secrets`
  const token = { user: 'alice-home', scopes: ['r:devices:*'], locations: [], expiresIn: 3600 }
  const issue = async () => String((await call(`${world}/_control/tokens`, 'POST', token)).json['accessToken'])
  await call(`${world}/_control/records/sellers/777000777000`, 'PUT', { name: 'Seller' })
  const before = await issue()
  await call(`${world}/_control/recordings`, 'POST', {})
  const during = await issue()
  const body = {
    name: 's',
    subscriptionFilters: [{ type: 'DEVICEIDS', value: ['aaaaaaaa-0000-4000-8000-000000000001'] }],
  }
  const keys: string[] = []
  for (const bearer of [before, during]) {
    const { json } = await call(`${world}/subscriptions`, 'POST', body, { authorization: `Bearer ${bearer}` })
    if (json['registrationUrl']) keys.push(String(json['registrationUrl']).split('key=')[1]!)
  }
  const soap = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
    <w:createServiceToken xmlns:w="http://ws.iap.vendor.com/"><secret>777000777000</secret></w:createServiceToken>
    </s:Body></s:Envelope>`
  const reply = await fetch(`${world}/iap/ws/RTCService`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: soap,
  })
  const [, serviceToken = ''] = /<output>(\w+)</.exec(await reply.text()) ?? []
  const settings = (await call(`${world}/_control/records/settings/secret`, 'GET')).json
  const text = await (await fetch(`${world}/_control/recordings/current`)).text()
  const secrets = [before, during, serviceToken, '777000777000', String(settings['value']), ...keys]
  expect(secrets.filter((secret) => secret.length < 12)).toEqual([])
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('in-process calls are recorded with their bodies', async () => {
  const { fetch: ask, close } = await startServer(readConfig({}), { listen: false })
  onTestFinished(close)
  const send = (path: string, init?: RequestInit) => ask(new Request(`http://localhost${path}`, init))
  await send('/_control/recordings', { method: 'POST' })
  const headers = { 'request-source': 'vendor.com', 'content-type': 'application/json' }
  const payload = { rating: 5, comment: 'gut – sehr' }
  const post = () => send('/stg/us/guest/customerFeedback', { method: 'POST', headers, body: JSON.stringify(payload) })
  expect([(await post()).status, (await post()).status]).toEqual([200, 200])
  const text = await (await send('/_control/recordings/current')).text()
  expect(parseCase(text).steps).toMatchObject([{ call: { body: JSON.stringify(payload) } }, { step: 2 }])
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a recording ends with a message at its size limit, and requests are still processed', async () => {
  const { url, worlds } = await open()
  const recorder = new CaseRecorder(worlds.find('default')!, 'seed', 2000)
  const headers = { 'request-source': 'vendor.com' }
  for (let i = 0; i < 5; i++) {
    expect((await call(`${url}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, headers)).status).toBe(200)
  }
  expect(recorder.ended).toContain('2000 bytes')
  expect([...recorder.steps()]).toHaveLength(2)
})

test('only one recording can run at a time', async () => {
  const { url, worlds } = await open()
  const status = async (method: string, path: string) => (await call(`${url}${path}`, method)).status
  expect(await status('GET', '/_control/recordings/current')).toBe(404)
  expect(await status('POST', '/_control/recordings')).toBe(200)
  expect(await status('POST', '/_control/recordings')).toBe(409)
  expect(await status('DELETE', '/_control/recordings/current')).toBe(204)
  expect(worlds.find('default')!.state.recorder).toBeUndefined()
  expect(await status('GET', '/_control/recordings/current')).toBe(404)
})
