import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../src/commands/run.ts'
import { buildTestApp, listen } from '../helpers/build-test-app.ts'

async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const code = await runCommand(args, { stdout: sink('stdout'), stderr: sink('stderr') })
  return { code, ...written }
}

async function start() {
  const server = buildTestApp()
  return { ...server, url: await listen(server.app) }
}

test('--help lists the commands, each takes --help, --version says which', async () => {
  const { code, stdout } = await run('--help')
  expect([code, stdout]).toEqual([0, expect.stringContaining('advance    Move the clock forward')])
  for (const command of ['serve', 'health', 'emit', 'advance', 'reset', 'snapshot', 'wallet']) {
    const help = await run(command, '--help')
    expect([command, help.code, help.stdout]).toEqual([command, 0, expect.stringContaining(`Usage: vendor-cloud`)])
  }
  expect((await run('serve', '--help')).stdout).toMatch(/--port .*default 8080 \(PORT\)/)
  expect(await run('--version')).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
})

test.each([
  { args: ['advanc'], says: 'there is no command advanc; did you mean advance?' },
  { args: ['teapot'], says: 'there is no command teapot\n' },
  { args: ['--prot', '1'], says: 'there is no option --prot; did you mean --port?' },
  { args: ['serve', '--quite-another'], says: 'there is no option --quite-another\n' },
  { args: ['serve', '--port'], says: '--port needs a value' },
  { args: ['serve', 'now'], says: 'now is not expected' },
  { args: ['--port', 'abc'], says: 'PORT=abc: must be a port from 0 to 65535' },
  { args: ['--log-level', 'loud'], says: 'LOG_LEVEL=loud:' },
  { args: ['advance'], says: 'DURATION missing' },
  { args: ['reset', '--url', 'nowhere'], says: 'nowhere is no address' },
])('$args is said in plain words, with exit code 2', async ({ args, says }) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`vendor-cloud: ${says}`)])
  expect(stderr).not.toContain('    at ')
})

test.each([
  { args: ['--fixtures', '/nowhere'], says: 'the fixtures cannot be read' },
  { args: ['--snapshot', '/nowhere'], says: 'the snapshot cannot be read' },
  { args: ['health', '--url', 'http://127.0.0.1:1'], says: 'no server answers at http://127.0.0.1:1' },
])('$args fails in one plain sentence, with exit code 1', async ({ args, says }) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(`vendor-cloud: ${says}`)])
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('a port in use is said in one sentence', async () => {
  const { url } = await start()
  const port = new URL(url).port
  const { code, stderr } = await run('--port', port, '--log-level', 'silent')
  expect([code, stderr]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 is in use`)])
})

test('health, advance and reset act on a running server', async () => {
  const { url, clockControl } = await start()
  expect(await run('health', '--url', url)).toMatchObject({ code: 0, stdout: 'ready\n' })
  const { stdout } = await run('advance', 'P31D', '--url', url)
  expect(stdout).toBe(`${new Date(clockControl.read().now).toISOString()}\n`)
  expect((await run('advance', '1000', '--url', url)).code).toBe(0)
  expect((await run('reset', '--url', url)).code).toBe(0)
})

test('emit lets a device report a value, which is JSON or text', async () => {
  const { url, store } = await start()
  const device = 'aaaaaaaa-0000-4000-8000-000000000001'
  const emitted = await run('emit', device, 'switchLevel', 'level', '42', '--unit', '%', '--url', url)
  expect([emitted.code, JSON.parse(emitted.stdout)]).toEqual([0, expect.objectContaining({ value: 42, unit: '%' })])
  const cold = await run('emit', device, 'temperatureMeasurement', 'temperature', '-5.5', '--url', url)
  expect(JSON.parse(cold.stdout)).toMatchObject({ value: -5.5 })
  await run('emit', device, 'switch', 'switch', 'on', '--component', 'second', '--url', url)
  expect((await store.devices.get(device))?.components['second']?.['switch']?.['switch']).toMatchObject({ value: 'on' })
  expect((await run('emit', 'nothing', 'c', 'a', '1', '--url', url)).stderr).toContain('no such device')
})

test('a refusal of the server is passed on, with exit code 1', async () => {
  const { url } = await start()
  const refused = await run('advance', '-1D', '--url', url)
  expect(refused.code).toBe(2)
  const { code, stderr } = await run('advance', 'P1X', '--url', url)
  expect([code, stderr]).toEqual([1, expect.stringContaining('must be an ISO 8601 duration')])
  expect((await run('reset', '--world', 'nobody', '--url', url)).stderr).toContain('no world of this name')
})

test('a snapshot is taken to a file and restored from it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { app, url } = await start()
  const file = join(folder, 'world.json')
  expect((await run('snapshot', '--out', file, '--url', url)).code).toBe(0)
  const text = readFileSync(file, 'utf8')
  expect((await run('snapshot', '--url', url)).stdout).toBe(text)
  await app.inject({ method: 'DELETE', url: '/_control/records/partners/partner-1001' })
  expect((await run('snapshot', '--restore', file, '--url', url)).code).toBe(0)
  expect((await app.inject('/_control/snapshot')).payload).toBe(text)
  writeFileSync(file, '{}')
  expect((await run('snapshot', '--restore', file, '--url', url)).stderr).toContain('schemaVersion')
})
