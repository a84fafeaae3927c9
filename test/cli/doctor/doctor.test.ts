import { once } from 'node:events'
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkNode } from '../../../src/cli/doctor/doctor.ts'
import { runCommand } from '../../../src/cli/run.ts'
import { readConfig } from '../../../src/server/config.ts'
import { openEngine, realClock } from '../../../src/server/runtime.ts'
import { startServer } from '../../../src/server/server.ts'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { makeTlsCertificate } from '../../helpers/tls-certificate.ts'

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
  const findAll = (what: string) => checks.filter((each) => each.what === what).map(({ says }) => says)
  return { code, printed, find, findAll }
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
  expect([taken.code, taken.find('port')]).toMatchObject([
    1,
    { state: 'fault', fix: 'npx --no vendor-cloud serve --port 0' },
  ])
  const { app } = buildTestApp()
  const { port: own } = new URL(await listen(app))
  const twice = await examine({ PORT: own })
  expect([twice.code, twice.find('port')?.state]).toEqual([1, 'fault'])
  expect(twice.find('port')?.says).toContain('is used by a vendor-cloud server')
  expect(twice.find('port')?.fix).toBe('To check that server: npx --no vendor-cloud health')
})

test('doctor recognizes a vendor-cloud server that uses HTTPS', async () => {
  const tls = makeTlsCertificate()
  const server = await startServer(readConfig({ PORT: '0', ...tls }))
  onTestFinished(() => server.close())
  const { find } = await examine({ PORT: new URL(server.url).port, ...tls })
  expect(find('port')?.says).toContain('is used by a vendor-cloud server')
})

test('doctor reports an invalid data folder and an unreachable database, and hides the password', async () => {
  const file = join(makeTemporaryFolder(), 'file')
  writeFileSync(file, '')
  expect((await examine({ DATA_DIR: file })).find('data')).toMatchObject({ state: 'fault', fix: 'DATA_DIR=./data' })
  const url = 'postgres://someone:canary-word@127.0.0.1:1/none'
  const { code, find, printed } = await examine({ DATABASE_URL: url })
  const told = (what: string) => [find(what)?.state, find(what)?.says, find(what)?.fix]
  const refused = 'no database responds at 127.0.0.1:1 (ECONNREFUSED). Check DATABASE_URL'
  expect(told('postgres')).toEqual(['fault', refused, undefined])
  expect(code).toBe(1)
  expect(printed).not.toContain('canary-word')
})

test('doctor and serve report that DATABASE_URL has no password', async () => {
  const server = createServer((socket) => {
    const steps = ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x0a\0\0\0\x0br=']
    socket.on('data', () => socket.write(steps.shift() ?? ''))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const DATABASE_URL = `postgres://me@127.0.0.1:${(server.address() as AddressInfo).port}/data`
  const says = 'DATABASE_URL has no password. Add it: postgres://user:password@host/database'
  const { find } = await examine({ DATABASE_URL })
  expect(find('postgres')).toEqual({ what: 'postgres', state: 'fault', says })
  await expect(openEngine({ DATABASE_URL }, realClock)).rejects.toThrow(says)
})

test('doctor hides a password that contains characters not allowed in a URL', async () => {
  const { code, printed } = await examine({ DATABASE_URL: 'postgres://me:canary%word@127.0.0.1:1/none' })
  expect([code, printed.includes('canary')]).toEqual([1, false])
})

test('the output of doctor does not reveal the length of a one-letter password', async () => {
  const { find } = await examine({ DATABASE_URL: 'postgres://me:c@127.0.0.1:1/none' })
  expect(find('postgres')?.says).toBe('no database responds at 127.0.0.1:1 (ECONNREFUSED). Check DATABASE_URL')
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

test('doctor does not show a part of a password with an unescaped slash', async () => {
  const { find } = await examine({ DATABASE_URL: 'postgres://me:1/canary@127.0.0.1:1/none' })
  expect(find('postgres')?.says).toMatch(/^no database responds \(E\w+\)\. Check DATABASE_URL$/)
})

test.each([
  [{ TLS_CERT: '/tmp/no/such.pem', TLS_KEY: '/tmp/no/such.key' }, 'TLS_CERT=/tmp/no/such.pem: no such file'],
  [{ TLS_CERT: 'package.json', TLS_KEY: 'tsconfig.json' }, 'TLS_CERT=package.json is not a PEM file'],
  [{ PROFILE: 'strickt' }, 'cannot read profile strickt: no such file or directory (ENOENT) (did you mean strict?)'],
  [{ FIXTURES: 'huge' }, 'FIXTURES=huge: must be default, large or a directory such as ./huge'],
  [{ SNAPSHOT: 'nofile' }, 'cannot read snapshot nofile'],
])('doctor reports that serve rejects the files of %o', async (settings, says) => {
  const { code, find } = await examine(settings as Record<string, string>)
  expect([code, find('files')]).toMatchObject([1, { state: 'fault', says: expect.stringContaining(says) }])
})

test('doctor reports a damaged data file and a data folder that another server uses', async () => {
  const damaged = makeTemporaryFolder()
  writeFileSync(join(damaged, 'vendor-cloud.db'), 'not a database'.repeat(1000))
  expect((await examine({ DATA_DIR: damaged })).find('data')).toMatchObject({
    state: 'fault',
    says: `${join(damaged, 'vendor-cloud.db')} is not a database of vendor-cloud`,
  })
  const used = makeTemporaryFolder()
  const server = await startServer(readConfig({ PORT: '0', DATA_DIR: used }), { listen: false })
  const { find } = await examine({ DATA_DIR: used })
  expect(find('data')).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(/ is in use by another server\. Stop it, or/),
  })
  await server.close()
  expect((await examine({ DATA_DIR: used })).find('data')?.state).toBe('ok')
})

test('doctor reports invalid settings with the same messages as serve, and hides the control key', async () => {
  const { code, find } = await examine({ PORT: 'eighty', CONTROL_KEY: 'canary' })
  expect([code, find('settings')?.state]).toEqual([1, 'fault'])
  expect(find('settings')?.says).toContain('PORT=eighty: must be a port')
  expect(find('settings')?.says).not.toContain('canary')
  expect(find('port')).toMatchObject({ state: 'note', says: 'not checked, because PORT or HOST is invalid' })
})

test('doctor reports every invalid setting and continues with the other checks', async () => {
  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, '.gitkeep'), '')
  const settings = { CONTROL_KEY: 'short', TLS_CERT: 'c.pem', DATA_DIR: folder, PROFILE: 'none', SNAPSHOT: 'nofile' }
  const { code, find, findAll } = await examine(settings)
  expect([code, findAll('settings')]).toEqual([
    1,
    ['CONTROL_KEY: must have at least 16 characters', 'TLS_CERT and TLS_KEY must be set together'],
  ])
  expect(findAll('files')).toEqual([
    expect.stringContaining('profile none: '),
    expect.stringContaining('cannot read snapshot nofile'),
  ])
  expect(find('port')?.state).toBe('ok')
  expect(find('data')?.says).toContain('it contains .gitkeep. Use an empty directory')
})

test('doctor notes that CONTROL=open has no effect when CONTROL_KEY is set', async () => {
  const { code, findAll } = await examine({ CONTROL: 'open', CONTROL_KEY: 'canary-of-the-control-key' })
  expect([code, findAll('settings')]).toEqual([
    0,
    ['all settings are valid', expect.stringContaining('CONTROL=open has no effect, because CONTROL_KEY is set')],
  ])
})

test('doctor prints one line per invalid setting, and their common fix once', async () => {
  for (const [name, value] of Object.entries({ LOG_LEVEL: 'loud', RATE_LIMIT: '0' })) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  await runCommand(['doctor'], { stdout: output, stderr: output })
  expect(printed).toMatch(
    /\nFAULT settings +LOG_LEVEL=loud: .*\nFAULT settings +RATE_LIMIT=0: .*\n +docs\/command-line.md lists each setting\n/,
  )
})

test('doctor reports a private key in TLS_KEY, and does not show it', async () => {
  const key = '-----BEGIN PRIVATE KEY-----\ncanary-of-the-key\n-----END PRIVATE KEY-----'
  const { code, find, printed } = await examine({ TLS_CERT: 'cert.pem', TLS_KEY: key })
  const says = 'TLS_KEY: must be the path of a PEM file'
  expect([code, find('settings')]).toMatchObject([1, { state: 'fault', says }])
  expect(printed).not.toMatch(/canary|BEGIN/)
})

test.each([
  ['20.18.3', 'fault'],
  ['20.19.0', 'ok'],
  ['18.20.0', 'fault'],
  ['24.1.0', 'ok'],
])('doctor reports Node %s as %s', (version, state) => {
  expect(checkNode(version).state).toBe(state)
})
