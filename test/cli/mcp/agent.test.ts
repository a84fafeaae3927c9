import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { startVendorCloud } from '../../../src/index.ts'
import { booking } from '../../helpers/bookings.ts'
import { type Agent, connectAgent, overHttp } from '../../helpers/mcp-client.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const PROGRAM = join(import.meta.dirname, '../../../dist/main.js')
const refusedBooking = { ...booking, timeSlot: 'the-first-one' }

async function overStdio(args: readonly string[] = [], cwd = makeTemporaryFolder(), env: Record<string, string> = {}) {
  const own = { PATH: process.env['PATH'] ?? '', PORT: '0', ...env }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    cwd,
    env: own,
    stderr: 'pipe',
  })
  return { transport, cwd }
}

async function serveHttp() {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  return overHttp(cloud.url)
}

/**
 * Lets an agent explain and fix a rejected booking, return to the state before it, repeat it correctly, and save a case
 * that can be replayed.
 */
async function workThrough({ call }: Agent, world: string): Promise<string> {
  const told: unknown[] = []
  const use = async (tool: string, input: Record<string, unknown>) => {
    const { isError, text, value } = await call(tool, { world, ...input })
    expect([tool, isError ? text : '']).toEqual([tool, ''])
    told.push(value)
    return value
  }
  await use('world', { action: 'make', seed: 'agent', now: '2026-05-06T12:00:00Z', frozen: true })
  await use('case', { action: 'record' })
  const refused = await use('call', { operation: 8, body: refusedBooking })
  expect(refused).toMatchObject({
    status: 400,
    why: [{ code: 'SlotUnavailable', source: 'our choice: slot-unavailable' }],
  })
  const { example } = await use('explain', { entry: refused['entry'] })
  const { body } = example as { body: object }
  expect(await use('call', { operation: 8, body })).toMatchObject({ status: 200, body: { status: 'E0001' } })
  expect(await use('verify', { match: { operation: 8, status: 200 }, count: 1 })).toMatchObject({ matched: true })
  const again = `${world}-again`
  await use('world', { action: 'rewind', from: world, at: 1, world: again })
  await use('case', { action: 'record', world: again })
  expect(await use('call', { operation: 8, body, world: again })).toMatchObject({ status: 200 })
  expect(await use('case', { action: 'save', world: again })).toMatchObject({ steps: 1 })
  expect(await use('case', { action: 'replay', world: again })).toMatchObject({ same: true, steps: 1 })
  expect(await use('case', { action: 'replay' })).toMatchObject({ same: true, steps: 2 })
  const { text } = await use('case', { action: 'show' })
  expect(text).toMatch(/sequenceDiagram[\s\S]*SlotUnavailable/)
  for (const each of [world, again]) await use('world', { action: 'delete', world: each })
  // Masks values that do not depend on the seed: the port, and headers that differ between transports.
  return JSON.stringify(told)
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\\"headers\\":\{.*?\}/g, 'HEADERS')
}

test('an agent explains and fixes a rejected booking, rewinds the world and saves a case', async () => {
  const { transport, cwd } = await overStdio()
  const agent = await connectAgent(transport)
  const overHttp = await workThrough(await connectAgent(await serveHttp()), 'one')
  // Over HTTP, the server does not remember which world was created.
  const overStandardIo = await workThrough(agent, 'one')
  expect(overStandardIo.replaceAll(/,"next":"this was the selected world[^"]*"/g, '')).toBe(
    overHttp.replaceAll(/,"next":"pass world [^"]*"/g, ''),
  )
  await agent.call('case', { action: 'record' })
  await agent.call('call', { operation: 8, body: refusedBooking })
  const saved = await agent.call('case', { action: 'save', file: 'booked.jsonl' })
  expect(saved.value).toMatchObject({ steps: 1, file: 'booked.jsonl' })
  expect(readFileSync(join(cwd, 'booked.jsonl'), 'utf8')).toContain('"case":2')
  expect((await agent.call('case', { action: 'replay', file: 'booked.jsonl' })).value).toMatchObject({ same: true })
})

test.each(['2026-07-28', '2025-11-25'])('protocol version %s works over stdio and HTTP', async (version) => {
  const mode = version === '2025-11-25' ? 'legacy' : { pin: version }
  for (const transport of [await serveHttp(), (await overStdio()).transport]) {
    const { client, call } = await connectAgent(transport, { versionNegotiation: { mode } })
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect((await call('time')).value).toMatchObject({ world: 'default', frozen: false })
  }
})

/** Runs the command with these lines as its entire standard input. Returns the lines that it prints. */
async function speak(lines: readonly string[], env: Record<string, string> = {}): Promise<Message[]> {
  const own = { PATH: process.env['PATH'] ?? '', PORT: '0', ...env }
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env: own, stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(lines.join('\n'))
  const written: Message[] = []
  for await (const line of createInterface(child.stdout)) written.push(JSON.parse(line) as Message)
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0)
  return written
}

interface Message {
  jsonrpc: string
  id: unknown
  error?: { code: number }
  result?: { isError?: boolean; content?: { text: string }[] }
}

const clientInfo = { name: 'test', version: '1' }
const opening = [
  { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
].map((each) => JSON.stringify({ jsonrpc: '2.0', ...each }))
const callOf = (id: number, name: string, input: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } })

test('standard output contains only protocol messages, even with LOG_LEVEL=trace and other settings', async () => {
  const calls = [
    callOf(1, 'call', { operation: 30, query: { zipCode: '\u001b[31m' } }),
    callOf(2, 'case', { action: 'replay', text: 'no case' }),
    callOf(3, 'nothing', {}),
  ]
  const written = await speak([...opening, ...calls], { LOG_LEVEL: 'trace', SIMULATE: '1' })
  expect(written.map(({ jsonrpc, id }) => [jsonrpc, id]).toSorted()).toEqual([0, 1, 2, 3].map((id) => ['2.0', id]))
})

test('calls in progress are completed and their responses sent when standard input ends', async () => {
  const calls = [
    callOf(1, 'world', { action: 'make', world: 'late' }),
    callOf(2, 'verify', { match: { operation: 30 }, withinMs: 500 }),
    callOf(3, 'call', { operation: 30, query: { zipCode: '07660' } }),
  ]
  const written = await speak([...opening, ...calls])
  const contents = new Map(
    written.map(({ id, result }) => [id, JSON.parse(result?.content?.[0]?.text ?? 'null') as unknown]),
  )
  expect([contents.get(1), contents.get(2), contents.get(3)]).toMatchObject([
    { world: 'late' },
    { matched: true },
    { status: 200 },
  ])
})

test('invalid lines on standard input are skipped, and later calls get a response', async () => {
  const lines = ['no message', '{"jsonrpc":', '{"id":7}', '[]', '', '   ']
  const poisoned = callOf(8, 'call', {}).replace('{}', '{"__proto__":{"operation":30}}')
  const written = await speak([...lines, ...opening, poisoned])
  expect(written.map(({ id, error, result }) => [id, error?.code, result?.isError])).toEqual([
    [0, undefined, undefined],
    [8, undefined, true],
  ])
})

test('a message of more than 10 MB ends the command with an error', async () => {
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0' }
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: ['pipe', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  child.stdin.write(Buffer.alloc(11 * 1024 * 1024, 'x'))
  let told = ''
  for await (const text of child.stderr) told += text
  expect(told).toContain('exceeded maximum size of')
})

test('standard error names the own server and reports a line that is not a message', async () => {
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0' }
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: ['pipe', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end('{"id":7}\n')
  let told = ''
  for await (const text of child.stderr) told += text
  const address = String.raw`http://127\.0\.0\.1:\d+`
  const own = `no vendor-cloud server responds at ${address}, so this session uses its own server at ${address}`
  const invalid = 'a line of standard input is not a JSON-RPC message'
  expect(told).toMatch(new RegExp(`^vendor-cloud mcp: ${own}\nvendor-cloud mcp: ${invalid}\n$`))
})

test('two agents have separate servers, even if both are configured with the same port', async () => {
  const free = await startVendorCloud()
  const { port: PORT } = new URL(free.url)
  await free.stop()
  const one = await connectAgent((await overStdio([], undefined, { PORT })).transport)
  const two = await connectAgent((await overStdio([], undefined, { PORT })).transport)
  await two.call('world', { action: 'make', world: 'kept' })
  await one.client.close()
  expect((await two.call('call', { operation: 30, query: { zipCode: '07660' }, world: 'kept' })).value).toMatchObject({
    status: 200,
  })
})

test('the tools report a stopped server and work again after a new server starts', async () => {
  const cloud = await startVendorCloud()
  const PORT = new URL(cloud.url).port
  const { call } = await connectAgent((await overStdio([], undefined, { PORT })).transport)
  await call('world', { action: 'make', world: 'mine' })
  expect((await cloud.worlds()).items.map(({ name }) => name)).toContain('mine')
  await cloud.stop()
  expect(await call('time', { world: 'mine' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/cannot reach .*Without DATA_DIR or DATABASE_URL, its data is lost/),
  })
  const next = await startVendorCloud({ port: Number(PORT) })
  onTestFinished(() => next.stop())
  expect((await call('time', { world: 'mine' })).text).toContain('world mine does not exist')
  expect((await call('time', { world: 'default' })).isError).toBe(false)
})

test('an agent cannot read or write files outside its folder', async () => {
  const { transport, cwd } = await overStdio()
  const { call } = await connectAgent(transport)
  await call('case', { action: 'record' })
  await call('call', { operation: 30, query: { zipCode: '07660' } })
  const files = ['/etc/passwd', '../case.jsonl', 'a/../../b', 'nowhere/case.jsonl', '', 'a\u0000b', cwd, `${cwd}-2/x`]
  for (const file of files) {
    for (const action of ['save', 'replay']) {
      const { isError, text } = await call('case', { action, file })
      expect([file, isError, text.split('\n').length]).toEqual([file, true, 1])
    }
  }
  expect((await call('case', { action: 'save', file: 'case.jsonl' })).isError).toBe(false)
  expect((await call('case', { action: 'save', file: join(cwd, 'absolute.jsonl') })).isError).toBe(false)
  expect((await call('case', { action: 'replay', file: join(cwd, 'case.jsonl') })).value).toMatchObject({ same: true })
  expect(await call('case', { action: 'save', file: 'case.jsonl' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('already'),
  })
})

test('shrink and show write their result to a new file over stdio', async () => {
  const { transport, cwd } = await overStdio()
  const { call } = await connectAgent(transport)
  expect((await call('case', { action: 'save', file: 'none.jsonl' })).text).toMatch(/with the action record$/)
  await call('case', { action: 'record' })
  for (const zipCode of ['07660', '1']) await call('call', { operation: 30, query: { zipCode } })
  const { value } = await call('case', { action: 'shrink', out: 'small.jsonl' })
  expect(value).toEqual({ world: 'default', target: expect.stringMatching(/=1 400$/), steps: 1, file: 'small.jsonl' })
  const page = await call('case', { action: 'show', file: 'small.jsonl', format: 'html', out: 'small.html' })
  expect(page.value).toEqual({ world: 'default', file: 'small.html' })
  expect(readFileSync(join(cwd, 'small.html'), 'utf8')).toMatch(/^<!doctype html>/i)
  expect(await call('case', { action: 'show', out: 'small.html' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('already'),
  })
})

test('read-only mode rejects actions that change state and marks all tools as read-only', async () => {
  const { transport } = await overStdio(['--read-only'])
  const { call, client } = await connectAgent(transport)
  const { tools } = await client.listTools()
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  const changing: [string, Record<string, unknown>][] = [
    ['world', { action: 'make' }],
    ['world', { action: 'reset' }],
    ['call', { operation: 8, body: refusedBooking }],
    ['call', { operation: 'stream', params: { subscriptionId: 'x' } }],
    ['call', { operation: 'createServiceToken', body: { secret: '123456789012' } }],
    ['inject_fault', { action: 'profile', profile: 'flaky' }],
    ['time', { action: 'advance', duration: 'P1D' }],
    ['trigger_event', { action: 'confirm_ticket', srid: '4100000017' }],
    ['case', { action: 'record' }],
    ['case', { action: 'show', text: '{"case":2,"origin":"upstream"}\n', out: 'x' }],
    ['examine', { action: 'run', command: ['true'] }],
  ]
  for (const [tool, input] of changing) {
    expect([tool, await call(tool, input)]).toEqual([
      tool,
      expect.objectContaining({ isError: true, text: expect.stringContaining('--read-only') }),
    ])
  }
  const { value } = await call('call', { operation: 30, query: { zipCode: '1' } })
  expect((await call('explain', { entry: value['entry'] })).value).toMatchObject({
    refused: true,
    example: { operation: 30 },
  })
  expect((await call('world')).value['worlds']).toHaveLength(1)
  expect((await call('time', { world: 'nope' })).text).toMatch(/the tool `world` lists them$/)
  expect(tools.find(({ name }) => name === 'case')?.description).toContain('This session is read-only')
})

test('a wrong key is reported with the option that sets it', async () => {
  const cloud = await startVendorCloud({ settings: { CONTROL_KEY: 'a-key-of-twenty-letters' } })
  onTestFinished(() => cloud.stop())
  const { call } = await connectAgent(
    (await overStdio(['--url', cloud.url, '--key', 'another-key-of-letters'])).transport,
  )
  expect(await call('time')).toMatchObject({
    isError: true,
    text: expect.stringContaining('with --key or CONTROL_KEY'),
  })
})

test('only the tools named with --tools are offered', async () => {
  const { client } = await connectAgent((await overStdio(['--tools', 'call,explain'])).transport)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['call', 'explain'])
})

test('the tools create the world given with --world on the server given with --url', async () => {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  const { call } = await connectAgent((await overStdio(['--url', cloud.url, '--world', 'mine'])).transport)
  await call('call', { operation: 30, query: { zipCode: '07660' } })
  const { items } = await cloud.worlds()
  expect(items.map(({ name }) => name)).toContain('mine')
  expect(await (await cloud.control<{ totalCount: number }>('GET', 'journal')).totalCount).toBe(0)
})

test('the tool world can list and create worlds after the selected world is deleted', async () => {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  const { call } = await connectAgent((await overStdio(['--url', cloud.url, '--world', 'mine'])).transport)
  const deleted = await call('world', { action: 'delete', world: 'mine' })
  expect(deleted.value['next']).toBe(
    'this was the selected world, so select another: make or fork one, or pass world in each call',
  )
  expect((await call('time')).text).toContain('world mine does not exist')
  expect((await call('world')).value).toMatchObject({
    next: 'world mine does not exist; make or fork one, or pass world in each call',
    worlds: [{ world: 'default' }],
  })
  await call('world', { action: 'make', world: 'other' })
  expect((await call('time')).value).toMatchObject({ world: 'other' })
})

test('over stdio, a created world becomes the default for later calls until it is deleted', async () => {
  const { call } = await connectAgent((await overStdio()).transport)
  const worldOfCall = async (input: object = {}) =>
    (await call('call', { operation: 30, query: { zipCode: '07660' }, ...input })).value['world']
  expect(await worldOfCall()).toBe('default')
  expect((await call('world', { action: 'make', world: 'made' })).value).not.toHaveProperty('next')
  expect([await worldOfCall(), await worldOfCall({ world: 'default' })]).toEqual(['made', 'default'])
  const { value } = await call('world', { action: 'fork' })
  expect(await worldOfCall()).toBe(value['world'])
  expect((await call('world', { action: 'delete', world: value['world'] })).value['next']).toBe(
    'this was the selected world; calls without world now use default',
  )
  expect(await worldOfCall()).toBe('default')
})

test('with --allow-run, the examine tool runs a command and returns the report', async () => {
  const { transport, cwd } = await overStdio(['--allow-run'])
  const { call } = await connectAgent(transport)
  const client = join(cwd, 'client.mjs')
  const { isError, value } = await call('examine', {
    action: 'run',
    only: 'wallet',
    timeout: 1,
    command: [
      process.execPath,
      '-e',
      `fetch(process.env.VENDOR_CLOUD_URL + '/wallet/cmn/v2.0/device/available')`,
      client,
    ],
  })
  expect([isError, value['checks']]).toEqual([
    false,
    expect.arrayContaining([expect.objectContaining({ level: 'MUST' })]),
  ])
  expect((await call('examine')).value).toMatchObject({ grade: value['grade'] })
})
