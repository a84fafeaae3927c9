import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkNode } from '../../../src/commands/doctor/checks.ts'
import { runCommand } from '../../../src/commands/run.ts'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { makeTlsCertificate } from '../../helpers/tls-certificate.ts'

interface Report {
  healthy: boolean
  checks: { what: string; state: string; says: string; mend?: string }[]
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']
const ENGINES = ['DATA_DIR', 'DATABASE_URL']

/** On a machine whose clock is right, whatever that of this one says. */
async function examine(settings: Record<string, string> = {}) {
  const none = Object.fromEntries([...PROXIES, ...ENGINES].map((name) => [name, '']))
  for (const [name, value] of Object.entries({ ...none, NO_PROXY: '', PORT: '0', ...settings })) vi.stubEnv(name, value)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:00:00Z') })
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.useRealTimers()
  })
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  const code = await runCommand(['doctor', '--json'], { stdout: output, stderr: output })
  const { healthy, checks } = JSON.parse(printed) as Report
  expect(healthy).toBe(code === 0)
  const find = (what: string) => checks.find((each) => each.what === what)
  return { code, printed, find }
}

test('a machine that lacks nothing is told so', async () => {
  const folder = makeTemporaryFolder()
  const { code, find } = await examine({ DATA_DIR: join(folder, 'data') })
  expect(code).toBe(0)
  for (const what of ['node', 'clock', 'settings', 'port', 'data']) expect(find(what)?.state).toBe('ok')
  expect(readdirSync(folder)).toEqual([])
})

test('a port that is taken is a fault, by another program or by another server of this kind', async () => {
  const stranger = createServer((socket) => socket.end('220 hello\r\n')).listen(0, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await once(stranger, 'listening')
  const { port } = stranger.address() as { port: number }
  const taken = await examine({ PORT: String(port) })
  expect([taken.code, taken.find('port')]).toMatchObject([1, { state: 'fault', mend: 'vendor-cloud --port 0' }])
  const { app } = buildTestApp()
  const { port: own } = new URL(await listen(app))
  const twice = await examine({ PORT: own })
  expect([twice.code, twice.find('port')?.state]).toEqual([1, 'fault'])
  expect(twice.find('port')?.says).toContain('a vendor-cloud answers at')
})

test('a data folder that is none, and an engine that does not answer, are faults without a password', async () => {
  const file = join(makeTemporaryFolder(), 'file')
  writeFileSync(file, '')
  expect((await examine({ DATA_DIR: file })).find('data')).toMatchObject({ state: 'fault' })
  const url = 'postgres://someone:canary-word@127.0.0.1:1/none'
  const { code, find, printed } = await examine({ DATABASE_URL: url })
  const told = (what: string) => [find(what)?.state, find(what)?.says, find(what)?.mend]
  const refused = 'connect ECONNREFUSED 127.0.0.1:1'
  expect(told('postgres')).toEqual(['fault', refused, 'psql "$DATABASE_URL" -c "select 1"'])
  expect(code).toBe(1)
  expect(printed).not.toContain('canary-word')
})

test('a password that no address can hold is told of no more than another', async () => {
  const { code, printed } = await examine({ DATABASE_URL: 'postgres://me:canary%word@127.0.0.1:1/none' })
  expect([code, printed.includes('canary')]).toEqual([1, false])
})

test('a password of one letter cannot be read off the gaps that it leaves', async () => {
  const { find } = await examine({ DATABASE_URL: 'postgres://me:c@127.0.0.1:1/none' })
  expect(find('postgres')?.says).toBe('ECONNREFUSED')
})

test('a folder that is a link to nothing or to itself, and files that are not there, are faults', async () => {
  const folder = makeTemporaryFolder()
  for (const [name, to] of [
    ['dangling', 'none'],
    ['loop', 'loop'],
  ] as const) {
    symlinkSync(join(folder, to), join(folder, name))
    const { code, find } = await examine({ DATA_DIR: join(folder, name) })
    expect([code, find('data')?.says]).toEqual([1, expect.stringContaining('leads nowhere')])
  }
  const none = { SNAPSHOT: '', PROFILE: '', FIXTURES: '' }
  for (const name of Object.keys(none)) {
    const { code, find } = await examine({ ...none, [name]: join(folder, 'none') })
    expect([code, find('files')?.says]).toEqual([1, expect.stringContaining(`${name}=`)])
  }
  expect(await examine({ ...none, FIXTURES: 'default', PROFILE: 'strict' })).toMatchObject({ code: 0 })
})

test('files that a start cannot use are told with the reasons that it would give', async () => {
  const folder = makeTemporaryFolder()
  const none = { SNAPSHOT: '', PROFILE: '', FIXTURES: '' }
  const bad = Object.entries({
    PROFILE: ['bad.yaml', 'profile: mine\nchoices: { no-such-choice: 1 }\n', 'no-such-choice'],
    SNAPSHOT: ['bad.json', 'no JSON', 'JSON'],
    FIXTURES: ['dfault', '', 'no fixtures are named dfault'],
  })
  for (const [name, [file, text, reason]] of bad) {
    const path = name === 'FIXTURES' ? file! : join(folder, file!)
    if (name !== 'FIXTURES') writeFileSync(path, text!)
    const { code, find } = await examine({ ...none, [name]: path })
    expect([code, find('files')?.says]).toEqual([1, expect.stringContaining(`${name}=${path}: `)])
    expect(find('files')?.says).toContain(reason)
  }
})

test('a certificate or key that cannot be used is a fault that names its setting and file', async () => {
  const none = join(makeTemporaryFolder(), 'none.pem')
  const file = join(makeTemporaryFolder(), 'cert.pem')
  writeFileSync(file, 'no PEM')
  const files = makeTlsCertificate()
  for (const [given, says] of [
    [{ TLS_CERT: none }, `TLS_CERT=${none} cannot be read: there is no such file or folder`],
    [{ TLS_KEY: none }, `TLS_KEY=${none} cannot be read: there is no such file or folder`],
    [{ TLS_CERT: file }, `TLS_CERT=${file} holds no certificate`],
  ] as const) {
    const { code, find } = await examine({ ...files, ...given })
    expect([code, find('tls')?.says]).toEqual([1, says])
  }
})

test('settings that cannot be used are told as a start tells them', async () => {
  const { code, find } = await examine({ PORT: 'eighty', CONTROL_KEY: 'canary' })
  expect([code, find('settings')?.state]).toEqual([1, 'fault'])
  expect(find('settings')?.says).toContain('PORT=eighty: must be a port')
  expect(find('settings')?.says).not.toContain('canary')
})

test('proxy variables that do not spare this machine are told without their values, and are no fault', async () => {
  const HTTPS_PROXY = 'http://user:canary-word@proxy.example:3128'
  const { code, find, printed } = await examine({ HTTPS_PROXY })
  expect([code, find('proxy')?.state]).toEqual([0, 'note'])
  expect(printed).not.toContain('canary-word')
  expect((await examine({ HTTPS_PROXY, NO_PROXY: 'example.org, localhost' })).find('proxy')?.state).toBe('ok')
})

test.each([
  ['20.18.3', 'fault'],
  ['20.19.0', 'ok'],
  ['18.20.0', 'fault'],
  ['24.1.0', 'ok'],
])('Node %s is %s', (version, state) => {
  expect(checkNode(version).state).toBe(state)
})
