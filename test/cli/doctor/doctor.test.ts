import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkNode } from '../../../src/cli/doctor/doctor.ts'
import { runCommand } from '../../../src/cli/run.ts'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

interface Report {
  healthy: boolean
  checks: { what: string; state: string; says: string; fix?: string }[]
}

const ENGINES = ['DATA_DIR', 'DATABASE_URL']

async function examine(settings: Record<string, string> = {}) {
  const none = Object.fromEntries(ENGINES.map((name) => [name, '']))
  for (const [name, value] of Object.entries({ ...none, PORT: '0', ...settings })) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  const code = await runCommand(['doctor', '--json'], { stdout: output, stderr: output })
  const { healthy, checks } = JSON.parse(printed) as Report
  expect(healthy).toBe(code === 0)
  const find = (what: string) => checks.find((each) => each.what === what)
  return { code, printed, find }
}

test('doctor reports no faults if the port, data folder, settings and packages are usable', async () => {
  const folder = makeTemporaryFolder()
  const { code, find } = await examine({ DATA_DIR: join(folder, 'data') })
  expect(code).toBe(0)
  for (const what of ['node', 'settings', 'port', 'data', 'packages']) expect(find(what)?.state).toBe('ok')
  expect(readdirSync(folder)).toEqual([])
})

test('doctor reports that the port is used by another program or by another vendor-cloud', async () => {
  const stranger = createServer((socket) => socket.end('220 hello\r\n')).listen(0, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await once(stranger, 'listening')
  const { port } = stranger.address() as { port: number }
  const taken = await examine({ PORT: String(port) })
  expect([taken.code, taken.find('port')]).toMatchObject([1, { state: 'fault', fix: 'vendor-cloud serve --port 0' }])
  const { app } = buildTestApp()
  const { port: own } = new URL(await listen(app))
  const twice = await examine({ PORT: own })
  expect([twice.code, twice.find('port')?.state]).toEqual([1, 'fault'])
  expect(twice.find('port')?.says).toContain('is used by another vendor-cloud')
})

test('doctor reports an invalid data folder and an unreachable database, and hides the password', async () => {
  const file = join(makeTemporaryFolder(), 'file')
  writeFileSync(file, '')
  expect((await examine({ DATA_DIR: file })).find('data')).toMatchObject({ state: 'fault' })
  const url = 'postgres://someone:canary-word@127.0.0.1:1/none'
  const { code, find, printed } = await examine({ DATABASE_URL: url })
  const told = (what: string) => [find(what)?.state, find(what)?.says, find(what)?.fix]
  const refused = 'connect ECONNREFUSED 127.0.0.1:1'
  expect(told('postgres')).toEqual(['fault', refused, 'psql "$DATABASE_URL" -c "select 1"'])
  expect(code).toBe(1)
  expect(printed).not.toContain('canary-word')
})

test('doctor hides a password that contains characters not allowed in a URL', async () => {
  const { code, printed } = await examine({ DATABASE_URL: 'postgres://me:canary%word@127.0.0.1:1/none' })
  expect([code, printed.includes('canary')]).toEqual([1, false])
})

test('the output of doctor does not reveal the length of a one-letter password', async () => {
  const { find } = await examine({ DATABASE_URL: 'postgres://me:c@127.0.0.1:1/none' })
  expect(find('postgres')?.says).toBe('ECONNREFUSED')
})

test('doctor reports a data folder that is a broken or circular link', async () => {
  const folder = makeTemporaryFolder()
  for (const [name, to] of [
    ['dangling', 'none'],
    ['loop', 'loop'],
  ] as const) {
    symlinkSync(join(folder, to), join(folder, name))
    const { code, find } = await examine({ DATA_DIR: join(folder, name) })
    expect([code, find('data')?.says]).toEqual([1, expect.stringContaining('is a broken symbolic link')])
  }
})

test('doctor reports invalid settings with the same messages as serve, and hides the control key', async () => {
  const { code, find } = await examine({ PORT: 'eighty', CONTROL_KEY: 'canary' })
  expect([code, find('settings')?.state]).toEqual([1, 'fault'])
  expect(find('settings')?.says).toContain('PORT=eighty: must be a port')
  expect(find('settings')?.says).not.toContain('canary')
})

test.each([
  ['20.18.3', 'fault'],
  ['20.19.0', 'ok'],
  ['18.20.0', 'fault'],
  ['24.1.0', 'ok'],
])('doctor reports Node %s as %s', (version, state) => {
  expect(checkNode(version).state).toBe(state)
})
