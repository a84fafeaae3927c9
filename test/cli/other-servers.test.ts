import { createJobQueue } from '../../src/server/adapters/job-queue.ts'
import { existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWorldClient } from '../../src/tools/client/world-client.ts'
import { createLogger } from '../../src/cli/log.ts'
import { runCommand } from '../../src/cli/run.ts'
import { readConfig } from '../../src/server/config.ts'
import { connectVendorCloud, startVendorCloud } from '../../src/index.ts'
import { buildApp } from '../../src/server/app.ts'
import { buildTestApp, listen } from '../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const code = await runCommand(args, { stdout: sink('stdout'), stderr: sink('stderr') })
  return { code, ...written }
}

async function listenAs(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const heard: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        heard.push(bytes.toString('latin1'))
        answer(socket)
      })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, heard }
}

const say =
  (status: string, body: string, headers = 'content-type: application/json') =>
  (socket: Socket) =>
    socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

const asking = [
  ['health'],
  ['list', 'worlds'],
  ['list', 'faults'],
  ['list', 'devices'],
  ['list', 'outbox'],
  ['list', 'purchases'],
  ['list', 'tickets'],
  ['create', 'world', 'demo'],
  ['delete', 'world', 'demo'],
  ['logs'],
  ['logs', '--follow'],
  ['coverage'],
  ['coverage', '--format', 'junit'],
  ['coverage', '--json'],
  ['advance', 'PT1H'],
  ['emit', 'device', 'switch', 'switch', 'on'],
  ['reset'],
  ['snapshot'],
  ['snapshot', '--out', 'FOLDER/world.json'],
  ['snapshot', '--restore', join(import.meta.dirname, '../tools/cases/random-world.jsonl')],
  ['proxy', '--host', 'support.vendor.example', '--ca', 'FOLDER/ca'],
  ['mcp'],
  ['case', 'diff', 'one', 'other'],
  ['replay', join(import.meta.dirname, '../tools/cases/month-end.jsonl'), '--keep'],
  ['record', '--out', 'FOLDER/case.jsonl', '--', process.execPath, '-e', '0'],
]
const answers: [string, (socket: Socket) => void][] = [
  ['an HTML page', say('200 OK', '<html>\u001b[31mhello</html>', 'content-type: text/html')],
  ['an HTML error page for 404', say('404 Not Found', '<h1>nginx\u001b]0;owned\u0007</h1>', 'content-type: text/html')],
  ['less content than its content-length', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{')],
  ['a protocol other than HTTP', (socket) => socket.end('220 mail.example.com ESMTP\r\n')],
]

test.each(answers)(
  'commands exit with code 2 and a one-line error when a server responds with %s',
  async (_, answer) => {
    const { url } = await listenAs(answer)
    const folder = makeTemporaryFolder()
    for (const args of asking) {
      const words = args.map((word) => word.replace('FOLDER', folder))
      const at = words.includes('--') ? words.indexOf('--') : words.length
      const { code, stdout, stderr } = await run(...words.toSpliced(at, 0, '--url', url))
      expect([args[0], code, stderr]).toEqual([
        args[0],
        2,
        expect.stringContaining(`${url} is not a working vendor-cloud server`),
      ])
      if (stderr.includes('closed the connection')) expect(stderr).toContain('. It may need https://')
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stdout + stderr).not.toMatch(STEERING)
      expect(stderr).not.toContain('<h')
      expect([stdout, readdirSync(folder)]).toEqual(['', []])
    }
  },
)

test('the list of tested commands contains every command that has the option --url', async () => {
  const findAskers = async (words: readonly string[]): Promise<string[]> => {
    const { stdout } = await run(...words, '--help')
    const [about = '', list = ''] = stdout.split('\nCommands:\n')
    const names = [...list.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name!)
    const further = await Promise.all(names.map((name) => findAskers([...words, name])))
    return [...(about.includes('--url <URL>') ? [words.join(' ')] : []), ...further.flat()]
  }
  const asked = asking.map(([name, more]) => (name === 'case' ? `${name} ${more}` : name!))
  expect((await findAskers([])).toSorted()).toEqual([...new Set(asked)].toSorted())
})

test.each([
  ['JSON with other types', '{"items": 7, "entries": {"a": 1}}'],
  ['null', 'null'],
  ['a list of null', '{"items": [null], "entries": [null], "parts": [null], "totalCount": 1}'],
  ['truncated JSON', '{"items": ["'],
])('commands exit with code 2 if a server lists entries as %s', async (_, body) => {
  const { url } = await listenAs(say('200 OK', body))
  for (const args of [['list', 'faults'], ['list', 'worlds'], ['logs'], ['coverage']]) {
    const { code, stdout, stderr } = await run(...args, '--url', url)
    expect([args, code, stdout]).toEqual([args, 2, ''])
    expect(stderr).toContain(`${url} is not a working vendor-cloud server`)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  }
})

test('a record with an object where a string is expected prints as a normal row', async () => {
  const record = '{"purchaseID": {"toString": 1}, "price": {"valueOf": []}, "itemID": null}'
  const { url } = await listenAs(say('200 OK', `{"items": [${record}], "totalCount": 1}`))
  const { code, stdout } = await run('list', 'purchases', '--url', url)
  expect([code, stdout]).toEqual([0, expect.stringContaining('{"toString":1}')])
})

test('no command follows a redirect or sends the key to another host', async () => {
  const other = await listenAs(say('200 OK', '{"status": "ready"}'))
  const { url } = await listenAs(say('307 Temporary Redirect', '', `location: ${other.url}/health/ready`))
  for (const args of [['health'], ['list', 'worlds'], ['advance', 'PT1H'], ['reset']]) {
    const { code, stderr } = await run(...args, '--url', url, '--key', 'a-key')
    expect([code, stderr]).toEqual([2, expect.stringContaining('it redirects to another URL')])
  }
  await expect(connectVendorCloud(url, 'a-key').status()).rejects.toMatchObject({ code: 'NotVendorCloud' })
  expect(other.heard).toEqual([])
})

test('health reports only a vendor-cloud server as ready', async () => {
  for (const body of ['', '{}', '{"status":"ok"}', '{"status":"live"}', '"ready"']) {
    const { url } = await listenAs(say('200 OK', body))
    expect(await run('health', '--url', url)).toMatchObject({ code: 2, stdout: '' })
  }
  const { app } = buildTestApp()
  expect(await run('health', '--url', await listen(app))).toEqual({ code: 0, stdout: 'ready\n', stderr: '' })
})

test('a request times out when the server sends nothing or never completes its response', async () => {
  const silent = await listenAs(() => {})
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'
  const halting = await listenAs((socket) => socket.write(head))
  for (const [{ url }, patience, why] of [
    [silent, 50, 'sent no complete response in time'],
    [halting, 1000, 'sent no complete response in time'],
  ] as const) {
    const asked = createWorldClient(url, { patience }).status()
    await expect(asked).rejects.toMatchObject({ code: 'NotVendorCloud', message: expect.stringContaining(why) })
  }
})

test('a response is read up to the size limit, and then its stream is cancelled', async () => {
  const chunk = new Uint8Array(16 * 1024 * 1024)
  const cancel = vi.fn<() => void>()
  const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel })
  const message = expect.stringContaining('its response is larger than 256 MB')
  for (const status of [200, 500]) {
    const client = createWorldClient('http://stranger', { fetch: async () => new Response(endless(), { status }) })
    for (const read of [() => client.snapshot(), () => client.image('any')]) {
      cancel.mockClear()
      await expect(read()).rejects.toMatchObject({ code: 'NotVendorCloud', message })
      expect(cancel).toHaveBeenCalledOnce()
    }
  }
})

test('commands never print control characters from a server response on the terminal', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const evil = '\u001b]0;owned\u0007\u009b31m\r\u202e'
  const send = (method: string, path: string, payload: object) =>
    app.inject({ method: method as 'PUT', url: path, payload })
  await send('POST', '/_control/faults', { name: evil, match: { operation: 1 }, delayMs: 1 })
  const mail = { messageId: 'm', channel: 'EMAIL', to: evil, subject: `a\nb${evil}`, text: evil, html: evil, links: [] }
  const put = await send('PUT', '/_control/records/outbox/m', { ...mail, sentAt: '2026-05-06T16:00:00.000Z' })
  expect(put.statusCode).toBeLessThan(300)
  await app.inject({
    url: `/stg/us/guest/zipCode?zipCode=${encodeURIComponent(evil)}`,
    headers: { 'request-source': evil.slice(1, 3) },
  })
  for (const args of [
    ['list', 'faults'],
    ['list', 'outbox'],
    ['logs'],
    ['logs', '--json'],
    ['list', 'outbox', '--json'],
    ['snapshot'],
  ]) {
    const { code, stdout, stderr } = await run(...args, '--url', url)
    expect([args, code]).toEqual([args, 0])
    expect(stdout + stderr).not.toMatch(STEERING)
  }
  const { stdout } = await run('list', 'outbox', '--url', url)
  expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  const { stdout: json } = await run('list', 'outbox', '--json', '--url', url)
  expect(JSON.parse(json)).toMatchObject({ items: [{ to: evil }] })
})

test('a command without the key or with a wrong key mentions --key', async () => {
  const server = await startVendorCloud({ settings: { CONTROL_KEY: 'key-of-the-server' } })
  onTestFinished(server.stop)
  const { stderr: without } = await run('list', 'faults', '--url', server.url)
  expect(without).toContain("requires a key in --key or CONTROL_KEY. Use the server's CONTROL_KEY or, if it has none, ")
  const { stderr: wrong } = await run('list', 'faults', '--url', server.url, '--key', 'another')
  expect(wrong).toContain('the key in --key or CONTROL_KEY is not the key of this server. ')
})

test('the text log has one line per request and no control characters', async () => {
  const lines: string[] = []
  const stdout = { isTTY: true, write: (text: string) => lines.push(text) }
  const { worlds } = buildTestApp()
  const logger = createLogger(readConfig({}), { stdout })
  const app = buildApp({ worlds, logger, control: { open: true, worlds, jobs: createJobQueue(), version: 'test' } })
  onTestFinished(() => app.close())
  const evil = encodeURIComponent('\u001b]0;owned\u0007\u009b\r\n16:00:00 GET /forged')
  await app.inject(`/_control/journal?operation=${evil}`)
  await app.inject(`/_control/records/${evil}`)
  await app.inject(`/stg/us/dealer/tickets/${evil}`)
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    expect(line).not.toMatch(STEERING)
    expect(line.split('\n')).toHaveLength(2)
  }
})

test('record rejects an output file that cannot be written before it runs the client', async () => {
  const folder = makeTemporaryFolder()
  const link = join(folder, 'link.jsonl')
  symlinkSync(join(folder, 'nowhere', 'case.jsonl'), link)
  const mark = join(folder, 'has-run')
  const client = [process.execPath, '-e', `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`]
  const { app } = buildTestApp()
  const url = await listen(app)
  for (const out of [link, join(folder, 'missing', 'case.jsonl')]) {
    const { code, stderr } = await run('record', '--out', out, '--url', url, '--', ...client)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot write ${out}`)])
  }
  expect(existsSync(mark)).toBe(false)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
})

const header = {
  case: 2,
  version: '0.1.0',
  world: 'w',
  start: '2026-05-06T16:00:00.000Z',
  seed: 's',
  head: 0,
  tokens: [],
  snapshot: { schemaVersion: 2, clock: { offsetMs: 0 }, faults: [], records: {}, blobs: {} },
}
const call = { method: 'GET', path: '/stg/us/guest/zipCode?zipCode=07660', headers: {} }
const step = { step: 1, at: '2026-05-06T16:00:00.000Z', call, reply: { status: 200, body: 'x' } }
const steps = (...lines: object[]) => [header, ...lines].map((line) => JSON.stringify(line)).join('\n')
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const hostile: Record<string, string> = {
  'no content': '',
  'a header of another version and no steps': JSON.stringify({ ...header, case: 99 }),
  'text that is not JSON': 'case',
  'a truncated line': steps(step).slice(0, -20),
  'a list instead of a header': '[]',
  'null instead of a header': 'null',
  'control characters': '{"\u001b]0;owned\u0007": "\u009b31m"}',
  'a path and control characters in the world name': steps().replace('"world":"w"', '"world":"../\\u001b[31m"'),
  'a world name of one million characters': JSON.stringify({ ...header, world: 'w'.repeat(1_000_000) }),
  'prototype keys': steps().replace('"tokens":[]', '"__proto__":{"a":1},"constructor":{"prototype":{}},"tokens":7'),
  'a snapshot that is a list': JSON.stringify({ ...header, snapshot: [] }),
  'a snapshot without records': JSON.stringify({ ...header, snapshot: {} }),
  'a snapshot with a future schema version': JSON.stringify({
    ...header,
    snapshot: { ...header.snapshot, schemaVersion: 999 },
  }),
  'a number instead of a list of records': JSON.stringify({
    ...header,
    snapshot: { ...header.snapshot, records: { tickets: 7 } },
  }),
  'deeply nested snapshot records': JSON.stringify(header).replace('"records":{}', `"records":${nested(100_000)}`),
  'a deeply nested step': `${steps()}\n{"step":1,"at":"2026-05-06T16:00:00.000Z","mail":${nested(100_000)}}`,
  'an infinite number': steps().replace('"head":0', '"head":1e999'),
  'a number above the safe integers': steps().replace('"head":0', '"head":9007199254740993'),
  'a timestamp outside the supported range': steps({ ...step, at: '9999999-01-01T00:00:00Z' }),
  'an invalid public URL': JSON.stringify({ ...header, publicUrl: 'javascript:alert(1)' }),
  'a placeholder shape of ten million characters': JSON.stringify({ ...header, tokens: ['A'.repeat(10_000_000)] }),
  'an invalid method': steps({ ...step, call: { ...call, method: 'GET\r\nx: y' } }),
  'line ends in a path': steps({ ...step, call: { ...call, path: '/a\r\nHost: b' } }),
  'an invalid header name': steps({ ...step, call: { ...call, headers: { 'a b\r\n': 'c' } } }),
  'line ends in a header value': steps({ ...step, call: { ...call, headers: { a: 'b\r\nc: d' } } }),
  'a body that is not valid base64': steps({ ...step, call: { ...call, method: 'POST', body: { base64: '%' } } }),
  'a step of unknown type': steps({ step: 1, at: step.at, further: {} }),
}

test.each(Object.entries(hostile))(
  'replay and shrink reject a case with %s with exit code 2 and a message',
  async (_, text) => {
    const folder = makeTemporaryFolder()
    const file = join(folder, 'hostile.jsonl')
    await writeFile(file, text)
    for (const args of [
      ['replay', file],
      ['case', 'shrink', file, '--out', join(folder, 'small.jsonl')],
    ]) {
      const { code, stdout, stderr } = await run(...args)
      expect([args[0], code, stdout]).toEqual([args[0], 2, ''])
      expect(stderr.split('\n')[0]).toContain('the case cannot be')
      expect(stderr.trimEnd().split('\n')).toHaveLength(2)
      expect(stderr).not.toMatch(STEERING)
      expect(stderr.length).toBeLessThan(3000)
    }
  },
)

test('replay --against does not send the connection headers that a case contains', async () => {
  const { url } = await listenAs(say('200 OK', 'x'))
  const file = join(makeTemporaryFolder(), 'case.jsonl')
  for (const headers of [{ expect: '100-continue' }, { 'transfer-encoding': 'chunked' }, { connection: 'close' }]) {
    await writeFile(file, steps({ ...step, call: { ...call, headers } }))
    const { code, stdout } = await run('replay', file, '--against', url)
    expect([headers, code, stdout]).toEqual([headers, 0, expect.stringContaining('calls: 1, differences: 0')])
  }
})

test('replay reports a call that no client can send as an error in the case', async () => {
  const { url } = await listenAs(say('200 OK', 'x'))
  const file = join(makeTemporaryFolder(), 'case.jsonl')
  const odd: object[] = [{ upgrade: 'a' }, { 'a\r\n': 'b' }]
  for (const headers of odd) {
    await writeFile(file, steps({ ...step, call: { ...call, headers } }))
    const { code, stdout, stderr } = await run('replay', file, '--against', url)
    expect([headers, code, stdout]).toEqual([headers, 2, ''])
    expect(stderr).toContain('the case cannot be replayed')
  }
})

test('replay prints differences without control characters', async () => {
  const file = join(makeTemporaryFolder(), 'case.jsonl')
  const evil = { '\u001b]0;owned\u0007': '\u009b31m\u202e' }
  await writeFile(file, steps({ ...step, call: { ...call, path: '/\u001b[31m' } }))
  expect((await run('replay', file)).stderr).not.toMatch(STEERING)
  await writeFile(file, steps({ ...step, reply: { status: 400, body: JSON.stringify({ requestId: evil, ...evil }) } }))
  const { code, stdout } = await run('replay', file)
  expect([code, stdout]).toEqual([1, expect.stringContaining('owned')])
  expect(stdout).not.toMatch(STEERING)
})

test('wallet check-card reports a hostile card without a stack trace or control characters', async () => {
  const file = join(makeTemporaryFolder(), 'card.json')
  for (const text of ['', 'x', `{"barcode":${nested(100_000)}}`, '{"barcode":"\u001b]0;owned\u0007"}', '[]', 'null']) {
    await writeFile(file, text)
    const { code, stdout, stderr } = await run('wallet', 'check-card', file)
    expect([1, 2]).toContain(code)
    expect(stdout + stderr).not.toMatch(STEERING)
    expect(stderr).not.toContain('    at ')
  }
})
