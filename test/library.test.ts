import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { createWorldClient } from '../src/tools/client/world-client.ts'
import {
  connectVendorCloud,
  ControlError,
  openVendorCloud,
  startVendorCloud,
  StartError,
  type VendorCloudOptions,
} from '../src/index.ts'

async function start(options: VendorCloudOptions = {}) {
  const cloud = await startVendorCloud(options)
  onTestFinished(() => cloud.stop())
  return cloud
}

const ROOT = join(import.meta.dirname, '..')
const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const lookUp = (url: string) =>
  fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'vendor.com' } })

test('a server started from code can be inspected, controlled and stopped', async () => {
  const cloud = await startVendorCloud({ seed: 'library' })
  await cloud.clock.freeze('2026-05-06T16:00:00Z')
  await cloud.faults.add({ match: { operation: 30 }, respond: { status: 503 }, times: 1 })
  expect([(await lookUp(cloud.url)).status, (await lookUp(cloud.url)).status]).toEqual([503, 200])
  expect(await cloud.verify({ operation: 30 }, { count: 2 })).toMatchObject({ matched: true })
  expect((await cloud.journal({ operation: 30, status: 503 })).length).toBe(1)
  expect(await cloud.clock.advance('P31D')).toMatchObject({ now: '2026-06-06T16:00:00.000Z', frozen: true })
  const event = await cloud.events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value: 'on' })
  expect(event).toMatchObject({ deviceId: LIGHT, value: 'on' })
  await cloud.stop()
  await expect(lookUp(cloud.url)).rejects.toThrow('fetch failed')
})

test('worlds can be created, have their own URL and are isolated', async () => {
  const cloud = await start()
  const [one, two] = await Promise.all([cloud.world(), cloud.world({ now: '2030-01-01T00:00:00Z' })])
  await one.faults.add({ match: { operation: 30 }, respond: { status: 503 } })
  expect((await lookUp(one.url)).status).toBe(503)
  expect((await lookUp(two.url)).status).toBe(200)
  expect((await two.clock.read()).now).toMatch(/^2030-01-01/)
  await one.delete()
  expect((await lookUp(one.url)).status).toBe(404)
})

test('methods that need no arguments can be hooks of a test runner', async () => {
  const cloud = await start()
  const context: { task?: unknown } = { task: 'a hook' }
  context.task = context
  const hooks: readonly ((given: unknown) => Promise<unknown>)[] = [cloud.reset, cloud.clearJournal, cloud.worlds]
  for (const hook of hooks) await hook(context)
  expect((await cloud.journal({ refused: true })).length).toBe(0)
})

test('a snapshot that was read from code can be restored on another server', async () => {
  const first = await start({ seed: 's' })
  await first.clock.freeze('2026-05-06T16:00:00Z')
  const text = await first.snapshot()
  const second = await start()
  await second.restore(text)
  expect(await second.snapshot()).toBe(text)
  await second.reset()
  expect(await second.snapshot()).not.toBe(text)
})

test('a server that starts with a snapshot file also resets to it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'world.json')
  const first = await start({ seed: 's' })
  await first.clock.freeze('2026-05-06T16:00:00Z')
  const text = await first.snapshot()
  writeFileSync(file, text)
  const second = await start({ snapshot: file })
  expect(await second.snapshot()).toBe(text)
  await second.control('DELETE', 'records/partners/partner-1001')
  await second.clock.advance('P1D')
  await second.reset()
  expect(await second.snapshot()).toBe(text)
  writeFileSync(file, text.replace('"partnerCode":"partner-1001"', '"partnerCode":17'))
  await expect(startVendorCloud({ snapshot: file })).rejects.toThrow(
    /world\.json: line \d+: record\.partnerCode must be a string/,
  )
})

test('any control API operation can be called by path, with or without the prefix', async () => {
  const cloud = await start()
  await cloud.clock.freeze('2026-05-06T16:00:00Z')
  for (const path of ['clock', '/clock', '/_control/clock', '_control/clock']) {
    expect(await cloud.control('GET', path)).toMatchObject({ now: '2026-05-06T16:00:00.000Z' })
  }
})

test('expectRequests reports missing requests with the nearest request and its differences', async () => {
  const cloud = await start()
  const ask = (zipCode: string) =>
    fetch(`${cloud.url}/stg/us/guest/zipCode?zipCode=${zipCode}`, { headers: { 'request-source': 'vendor.com' } })
  await ask('07660')
  const [entry] = await cloud.expectRequests({ operation: 30 }, { count: 1 })
  expect(entry).toMatchObject({ operation: 30, status: 200 })
  const missing = cloud.expectRequests({ operation: 30, status: 404, query: { zipCode: '99999' } })
  await expect(missing).rejects.toThrow(
    `expected at least 1 of {"operation":30,"status":404,"query":{"zipCode":"99999"}}, found 0
nearest: ${entry!.id} GET /stg/us/guest/zipCode?zipCode=07660 200
  query.zipCode: expected "99999", got "07660"
  status: expected 404, got 200`,
  )
  await ask('10001')
  await expect(cloud.expectRequests({ query: { zipCode: '10001' } }, 2)).rejects.toThrow(
    /found 1\n.*zipCode=10001.*\nnearest: .*zipCode=07660.*\n {2}query\.zipCode: expected "10001", got "07660"$/s,
  )
  await expect(cloud.expectRequests({ operation: 30 }, 1)).rejects.toThrow(/^expected 1 of .* found 2\n/)
})

test('expectRequests asks for the URL of the world when its journal has no requests', async () => {
  const world = await (await start({ port: false })).world('mine')
  await expect(world.expectRequests({ operation: 30 })).rejects.toThrow(
    `found 0\nWorld mine has no requests in its journal. Does the client use world.url (${world.url})?`,
  )
})

test('the error for an unknown setting suggests the setting that starts with the same text', async () => {
  await expect(startVendorCloud({ settings: { HEARTBEAT: '1' } as object })).rejects.toThrow(
    'HEARTBEAT is not a setting of startVendorCloud (did you mean HEARTBEAT_SECONDS?)',
  )
})

test('an error response is thrown as an error with the status and code', async () => {
  const cloud = await start()
  await expect(cloud.clock.advance(-1)).rejects.toMatchObject({ name: 'ControlError', status: 400 })
  await cloud.world('taken')
  await expect(cloud.world('taken')).rejects.toMatchObject({ status: 409, code: 'ConflictError' })
  await expect(startVendorCloud({ fixtures: '/nowhere' })).rejects.toMatchObject({ name: 'ConfigError' })
})

test('a misspelled option is rejected with a suggestion, and an unreachable server is reported', async () => {
  const misspelt = { seeed: 'x', settings: { HEARTBEAT_SECOND: '1' } } as VendorCloudOptions
  await expect(startVendorCloud(misspelt)).rejects.toThrow(
    'seeed is not an option of startVendorCloud (did you mean seed?)',
  )
  const setting = { settings: { HEARTBEAT_SECOND: '1' } } as VendorCloudOptions
  await expect(startVendorCloud(setting)).rejects.toThrow(/did you mean HEARTBEAT_SECONDS\?/)
  const withProfile = { profile: { profile: 'mine' } } as object
  await expect(startVendorCloud(withProfile)).rejects.toThrow(
    'profile must be a name or a file. To use an object, call world({ profile })',
  )
  const nowhere = connectVendorCloud('http://127.0.0.1:1')
  const error = await nowhere.clock.read().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ControlError)
  expect(error).toMatchObject({
    code: 'Unreachable',
    message: expect.stringContaining('cannot reach http://127.0.0.1:1'),
  })
  expect(() => connectVendorCloud('localhost:8080')).toThrow('localhost:8080 is not a valid URL')
})

test('a port in use causes the same error for an option and a setting', async () => {
  const { port } = new URL((await start()).url)
  for (const options of [{ port: Number(port) }, { settings: { PORT: port } }]) {
    const error = await startVendorCloud(options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(/ is already in use. For a free port, run: npx /)
  }
})

test.each([
  ['192.0.2.1', /^192\.0\.2\.1 is not an address of this machine$/],
  [
    'a'.repeat(64),
    /^(?:a{64} is not a known host name \(ENOTFOUND\)|DNS lookup of a{64} failed temporarily \(EAI_AGAIN\))$/,
  ],
])('a start with an unusable HOST is rejected with the reason: %s', async (HOST, message) => {
  await expect(startVendorCloud({ port: 0, settings: { HOST } })).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(message),
  })
})

test('a world of a server without a port responds to requests and can be controlled', async () => {
  const cloud = await start({ port: false })
  const world = await cloud.world({ now: new Date('2030-01-01T00:00:00Z'), frozen: true })
  expect((await world.clock.read()).now).toBe('2030-01-01T00:00:00.000Z')
  const ask = () => world.fetch('/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } })
  expect(await (await ask()).json()).toMatchObject({ city: 'Ridgefield Park' })
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 } })
  expect((await ask()).status).toBe(503)
  expect((await cloud.journal()).length).toBe(0)
  expect((await world.journal({ refused: true })).length).toBe(1)
  expect((await world.watch().next()).value).toMatchObject({ event: 'journal' })
})

test('a script that does not call stop exits if the server was started with unref', () => {
  const script = `import { startVendorCloud } from './src/index.ts'
    const vendor = await startVendorCloud({ unref: true })
    console.log((await fetch(vendor.url + '/health/ready')).status)`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  expect(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', timeout: 50_000 })).toBe('200\n')
})

test('streamRetryMs sets the retry time that is sent in streams', async () => {
  const cloud = await start({ streamRetryMs: 50 })
  const reply = await fetch(`${cloud.url}/subscriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer token-home' },
    body: JSON.stringify({
      name: 'retry',
      subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }],
    }),
  })
  const { registrationUrl } = (await reply.json()) as { registrationUrl: string }
  const stream = await fetch(registrationUrl)
  const reader = stream.body!.getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toMatch(/^retry: 50\n/)
  await reader.cancel()
})

test('the client has working methods for faults, scenarios, streams, records, the journal and worlds', async () => {
  const cloud = await start({ seed: 'calls' })
  expect(await cloud.status()).toMatchObject({ world: 'default', liveStreams: 0 })
  const fault = await cloud.faults.add({ match: { operation: 30 }, respond: { status: 503 } })
  await cloud.faults.remove(fault.faultId)
  expect(await cloud.faults.list()).toEqual({ items: [], totalCount: 0 })
  const terms = {
    sellerSecret: '123456789012',
    itemID: 'premium',
    period: 'P1M',
    price: 1,
    currency: 'USD',
    country: 'USA',
  }
  const { purchaseID } = await cloud.purchases.create(terms)
  expect((await cloud.purchases.payments(purchaseID)).totalCount).toBe(1)
  expect(await cloud.purchases.cancel(purchaseID, '1')).toMatchObject({ cancellation: { reason: '1' } })
  const step = { afterMs: 60_000, deviceId: LIGHT, capability: 'switch', attribute: 'switch', value: 'on' }
  const { scenarioId } = await cloud.scenarios.start({ steps: [step] })
  await cloud.scenarios.remove(scenarioId)
  expect((await cloud.scenarios.list()).totalCount).toBe(0)
  expect((await cloud.streams.list()).totalCount).toBe(0)
  await expect(cloud.streams.injectFault('no-such', { action: 'drop' })).rejects.toBeInstanceOf(ControlError)
  const [ticket] = (await cloud.records.list<{ srid: string }>('tickets', { status: 'E0001' })).items
  expect(await cloud.tickets.confirm(ticket!.srid)).toMatchObject({ status: 'E0002' })
  expect(await cloud.tickets.complete(ticket!.srid)).toMatchObject({ status: 'E0003' })
  await expect(cloud.image('none')).rejects.toMatchObject({ status: 404 })
  await lookUp(cloud.url)
  const [entry] = await cloud.journal()
  expect(await cloud.journalEntry(entry!.id)).toEqual(entry)
  expect(JSON.parse(await cloud.journalArchive({ operation: 30 }))).toMatchObject({ log: { version: '1.2' } })
  expect((await cloud.worlds()).items.map(({ name }) => name)).toEqual(['default'])
  {
    await using world = await cloud.world('block')
    expect(world.name).toBe('block')
  }
  expect((await cloud.worlds()).totalCount).toBe(1)
})

test('every operation of the control API has a method, and every method calls an operation', async () => {
  const { paths } = parse(readFileSync(join(ROOT, 'openapi/control.yaml'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      operationId,
      call: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
  )
  const asked: string[] = []
  const world = createWorldClient('http://server', {
    async fetch(target, init) {
      asked.push(`${init?.method ?? 'GET'} ${new URL(String(target)).pathname}`)
      return new Response('{}')
    },
  })
  const { fetch: _any, control: _other, ...calls } = world
  for (const each of Object.values(calls).flatMap((part) => (typeof part === 'object' ? Object.values(part) : part))) {
    if (typeof each !== 'function') continue
    await Promise.resolve((each as (...words: string[]) => unknown)('one', 'two', 'three')).catch(() => undefined)
  }
  await expect(world.watch().next()).rejects.toThrow('an event stream')
  const called = asked.filter((call) => !call.startsWith('GET /health/'))
  expect(called.filter((call) => !operations.some((operation) => operation.call.test(call)))).toEqual([])
  const missing = operations.filter((operation) => !called.some((call) => operation.call.test(call)))
  // The library does not offer these operations, because Pact verifiers and agents call them directly.
  expect(missing.map(({ operationId }) => operationId).toSorted()).toEqual([
    'changePactState',
    'endRecordings',
    'speakMcp',
  ])
})

test('a world can be recorded from its start and saved as a case file', async () => {
  const cloud = await start({ port: false })
  const world = await cloud.world({ record: true, seed: 'case', now: '2026-05-06T16:00:00Z', frozen: true })
  const headers = { 'request-source': 'vendor.com' }
  await world.fetch('/stg/us/guest/zipCode?zipCode=07660', { headers })
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'cases/city.jsonl')
  await world.saveCase(file)
  const [header, step] = readFileSync(file, 'utf8').split('\n')
  expect(JSON.parse(header!)).toMatchObject({ case: 2, world: world.name, fixtures: { name: 'default' }, changed: {} })
  expect(JSON.parse(step!)).toMatchObject({
    call: { path: '/stg/us/guest/zipCode?zipCode=07660' },
    reply: { status: 200 },
  })
  await world.saveCase(file, { whole: true })
  const [whole] = readFileSync(file, 'utf8').split('\n')
  expect(JSON.parse(whole!)).toMatchObject({ case: 2, snapshot: { records: { stores: expect.any(Array) } } })
  await expect(cloud.saveCase(file)).rejects.toMatchObject({ status: 404 })
})

test('a global proxy (NODE_USE_ENV_PROXY) is not used for requests to this machine', async () => {
  const cloud = await start()
  const usual = getGlobalDispatcher()
  onTestFinished(() => setGlobalDispatcher(usual))
  setGlobalDispatcher(new ProxyAgent('http://127.0.0.1:9'))
  vi.stubEnv('VENDOR_CLOUD_URL', cloud.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(lookUp(cloud.url)).rejects.toThrow('fetch failed')
  const path = '/stg/us/guest/zipCode?zipCode=07660'
  const init = { headers: { 'request-source': 'vendor.com' } }
  const opened = await openVendorCloud()
  for (const each of [cloud, connectVendorCloud(cloud.url), opened, await cloud.world()]) {
    expect((await each.fetch(path, init)).status).toBe(200)
    expect(await each.journal({ operation: 30 })).not.toEqual([])
  }
  await opened.stop()
})

test('openVendorCloud uses the server of VENDOR_CLOUD_URL, or starts a server if it is not set', async () => {
  const own = await openVendorCloud()
  onTestFinished(() => own.stop())
  vi.stubEnv('VENDOR_CLOUD_URL', own.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  const other = await openVendorCloud()
  expect(other.url).toBe(own.url)
  await other.stop()
  await expect(other.status()).rejects.toThrow('the client was stopped')
  expect(await own.status()).toMatchObject({ world: 'default' })
})

test('openVendorCloud names VENDOR_CLOUD_URL if its server cannot be reached', async () => {
  const stopped = await startVendorCloud()
  await stopped.stop()
  vi.stubEnv('VENDOR_CLOUD_URL', stopped.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  const cloud = await openVendorCloud()
  await expect(cloud.world()).rejects.toThrow(
    / \(from VENDOR_CLOUD_URL\)\. Start a server there, or unset the variable$/,
  )
})

test('an error contains findings with the path and the violated rule', async () => {
  const cloud = await start({ port: false })
  const error: unknown = await cloud.clock.set('yesterday').catch((thrown: unknown) => thrown)
  const [finding] = (error as ControlError).findings
  const message = 'body.now must be a timestamp such as 2026-03-31T14:00:00.000Z'
  expect(finding).toEqual({ code: 'InvalidParameter', message, target: 'body.now', source: 'our choice: field-forms' })
})

test('a remote server can be controlled with the same methods and its control key', async () => {
  const cloud = await start({ host: '0.0.0.0' })
  const known = connectVendorCloud(`${cloud.url}/`, cloud.controlKey)
  expect(await known.outbox()).toEqual(expect.any(Array))
  await expect(connectVendorCloud(cloud.url).outbox()).rejects.toMatchObject({ status: 401 })
})

test('an error stack starts at the line that called the library, without internal frames', async () => {
  const cloud = await start()
  const calls = [
    () => cloud.faults.remove('nowhere'),
    () => cloud.expectRequests({ operation: 30 }, { count: 1 }),
    () => cloud.control('GET', 'nowhere'),
    () => startVendorCloud({ settings: { PORT: 'one' } }),
  ]
  for (const call of calls) {
    const { stack = '', message } = (await call().then(String, (error: Error) => error)) as Error
    const [first = ''] = stack.slice(stack.indexOf(message) + message.length + 1).split('\n')
    expect(first).toContain('library.test.ts')
  }
})

test('after stop, calls are rejected with a message that the server was stopped', async () => {
  const cloud = await startVendorCloud()
  const world = await cloud.world()
  await cloud.stop()
  await expect(world.clock.read()).rejects.toMatchObject({
    code: 'Unreachable',
    message: expect.stringMatching(/: the server was stopped$/),
  })
})
