import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as readAll } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { runCurl } from '../helpers/curl.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'
import { makeTlsCertificate } from '../helpers/tls-certificate.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Starts the server in a separate process. Returns the output that it prints until it is ready. */
async function serve(env: Record<string, string> = {}, options: readonly string[] = []) {
  const child = spawn(process.execPath, ['dist/main.js', ...options], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (/try/i.test(line)) break
  }
  const text = lines.join('\n')
  return { child, text, url: /listens on (\S+)/.exec(text)![1]! }
}

test('serve prints a working example command, and exits with code 0 on SIGTERM', async () => {
  const { child, text, url } = await serve()
  expect(await runCurl(/curl -H .*/.exec(text)![0])).toContain('"city":"Ridgefield Park"')
  expect((await fetch(`${url}/_control/status`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('command-line options override the environment variables, and --fixtures serves custom fixtures', async () => {
  const fixtures = makeTemporaryFolder()
  writeFileSync(join(fixtures, 'contact-reasons.json'), '[]')
  const options = {
    '--port': '0',
    '--host': '0.0.0.0',
    '--data': join(makeTemporaryFolder(), 'kept'),
    '--fixtures': fixtures,
    '--seed': 'options',
    '--cors-origins': 'https://shop.example',
    '--control-key': 'key-given-as-an-option',
    '--log-level': 'info',
    '--log-format': 'text',
  }
  const overruled = { PORT: '1', HOST: '127.0.0.1', SEED: 'variables', LOG_LEVEL: 'silent', CORS_ORIGINS: 'none' }
  const { child, text, url } = await serve(overruled, ['serve', '--simulate', ...Object.entries(options).flat()])
  expect(text).toContain('pages from https://shop.example')
  expect(text).toContain(`  Data          ${options['--data']} (SQLite)\n`)
  const control = await fetch(`${url}/_control/status`, { headers: { 'x-control-key': options['--control-key'] } })
  expect((await fetch(`${url}/_control/status`)).status).toBe(401)
  expect(await control.json()).toMatchObject({ counts: { contactReasons: 0 } })
  const headers = { 'request-source': 'vendor.com', origin: 'https://shop.example' }
  const found = await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers })
  expect(found.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(existsSync(join(options['--data'], 'vendor-cloud.db'))).toBe(true)
})

test('the start-up output shows the generated control key on an address other than loopback', async () => {
  const { text, url } = await serve({ HOST: '0.0.0.0' })
  expect(text).toContain(`listens on ${url} and on all other addresses of this machine\n`)
  expect(text).toContain('  Data          in memory, lost when the process ends')
  const refused = await fetch(`${url}/_control/status`)
  expect(refused.status).toBe(401)
  expect(await refused.text()).toMatch(/CONTROL_KEY.* the server printed at start.*CONTROL=open/)
  expect(await runCurl(/Control API\s+(curl .*)/.exec(text)![1]!)).toContain('"world":"default"')
  const [, console, key] = /Console\s+(\S+)#key=(\S{32})/.exec(text) ?? []
  expect(console).toBe(`${url}/_console`)
  expect((await fetch(`${url}/_control/status`, { headers: { 'x-control-key': key! } })).status).toBe(200)
})

test('the start-up output does not contain a control key that was configured', async () => {
  const key = 'canary-of-the-control-key'
  const { text, url } = await serve({ HOST: '0.0.0.0', CONTROL_KEY: key, LOG_LEVEL: 'trace', LOG_FORMAT: 'text' })
  expect(text).not.toContain(key)
  expect(text).not.toContain('#key=')
  expect(await runCurl(/Control API\s+(curl .*)/.exec(text)![1]!, { CONTROL_KEY: key })).toContain('"world":"default"')
  expect((await fetch(`${url}/_control/status`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
})

test('a configured control key is required on loopback too', async () => {
  const { text, url } = await serve({ CONTROL_KEY: 'canary-of-the-control-key' })
  expect(text).toContain('x-control-key: $CONTROL_KEY')
  const reply = await fetch(`${url}/_control/status`)
  expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  const headers = { 'x-control-key': 'canary-of-the-control-key', 'x-forwarded-for': '203.0.113.7' }
  expect((await fetch(`${url}/_control/status`, { headers })).status).toBe(200)
})

test('CONTROL=open requires no key if Host is a loopback name and Origin does not differ', async () => {
  const { text, url } = await serve({ HOST: '0.0.0.0', CONTROL: 'open' })
  expect(text).not.toContain('key')
  const address = `${url}/_control/status`
  expect(await runCurl(`curl '${address}'`)).toContain('"world":"default"')
  expect(await runCurl(`curl -H 'origin: ${url}' '${address}'`)).toContain('"world":"default"')
  expect(await runCurl(`curl -H 'host: 10.0.0.1:8080' '${address}'`)).toContain('Set CONTROL_KEY')
  expect(await runCurl(`curl -H 'origin: http://evil.example' '${address}'`)).toContain(
    'the request comes from another origin, http://evil.example',
  )
})

test('serve warns that CONTROL=open has no effect when CONTROL_KEY is set', async () => {
  const env = { CONTROL: 'open', CONTROL_KEY: 'canary-of-the-control-key', LOG_LEVEL: 'warn', LOG_FORMAT: 'text' }
  const { text, url } = await serve(env)
  expect(text).toContain('CONTROL=open has no effect, because CONTROL_KEY is set: the control API requires the key\n')
  expect((await fetch(`${url}/_control/status`)).status).toBe(401)
})

test('CONTROL=off removes the control API, the console and all descriptions of the control API', async () => {
  const { text, url } = await serve({ CONTROL: 'off' })
  expect(text).not.toContain('_control')
  for (const path of ['/_control/status', '/openapi/control.json', '/docs/control', '/_console']) {
    expect((await fetch(url + path)).status, path).toBe(404)
  }
  expect(await (await fetch(`${url}/_console`)).text()).toContain(
    '/_console is off. Restart the server without CONTROL=off',
  )
  for (const path of ['/', '/openapi', '/docs/support', '/docs/billing']) {
    expect(await (await fetch(url + path, { headers: { accept: 'text/html' } })).text(), path).not.toContain('ontrol')
  }
})

test('TLS_CERT and TLS_KEY enable HTTPS for the server, the health command and connection faults', async () => {
  const tls = makeTlsCertificate()
  const { url } = await serve(tls)
  expect(url).toMatch(/^https:/)
  const env = { PATH: process.env['PATH'], PORT: new URL(url).port, ...tls }
  const health = ['dist/main.js', 'health']
  expect(execFileSync(process.execPath, health, { cwd: ROOT, env, encoding: 'utf8' })).toBe('ready\n')
  const fault = { match: { path: '/stg/us/guest/zipCode' }, respond: { reset: true } }
  expect(await askTls(`${url}/_control/faults`, 'POST', JSON.stringify(fault))).toBe(200)
  await expect(askTls(`${url}/stg/us/guest/zipCode`)).rejects.toThrow('socket hang up')
})

function askTls(url: string, method = 'GET', body = ''): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, rejectUnauthorized: false, agent: false }, (reply) => {
      resolve(reply.statusCode)
      reply.resume()
    })
    sent.on('error', reject).end(body)
  })
}

test('the first line of a JSON log contains the address and an example command', async () => {
  const { text } = await serve({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' })
  const { level, msg, ...links } = JSON.parse(text) as Record<string, unknown>
  expect([level, msg]).toEqual([30, expect.stringMatching(/^vendor-cloud \S+ listens on http:\/\/127\.0\.0\.1:\d+$/)])
  expect(links).toMatchObject({ console: expect.stringContaining('/_console'), try: expect.stringContaining('curl ') })
})

test('with LOG_LEVEL=warn, the greeting is printed on standard error and not in the JSON log', async () => {
  const env = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' }
  const child = spawn(process.execPath, ['dist/main.js'], { cwd: ROOT, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes: Buffer) => (said.stdout += bytes))
  child.stderr.on('data', (bytes: Buffer) => (said.stderr += bytes))
  await expect.poll(() => said.stderr, { timeout: 30_000 }).toMatch(/^vendor-cloud \S+ listens on \S+\n\n {2}Console /)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(said.stdout).toBe('')
})

test('the log is JSON, without the greeting, if standard output is a pipe', async () => {
  const child = spawn(process.execPath, ['dist/main.js', '--port', '0'], { cwd: ROOT })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes: Buffer) => (said.stdout += bytes))
  child.stderr.on('data', (bytes: Buffer) => (said.stderr += bytes))
  await expect.poll(() => said.stderr, { timeout: 30_000 }).toMatch(/^vendor-cloud \S+ listens on \S+\n\n {2}Console /)
  await expect.poll(() => said.stdout, { timeout: 30_000 }).toMatch(/\n$/)
  const [line = '', ...rest] = said.stdout.trimEnd().split('\n')
  expect([JSON.parse(line), rest]).toMatchObject([{ msg: expect.stringContaining(' listens on '), level: 30 }, []])
})

test('the last line of the log reports that the server is shutting down', async () => {
  const { child } = await serve({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' })
  child.kill('SIGTERM')
  const lines = (await readAll(child.stdout)).trimEnd().split('\n')
  const msg = expect.stringMatching(/^vendor-cloud \d+\.\d+\.\d+ is shutting down$/)
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ level: 30, msg })
})

test('the ready file contains the address, process ID and version until the server stops', async () => {
  const file = join(makeTemporaryFolder(), 'ready.json')
  writeFileSync(file, '{"url": "http://127.0.0.1:1", "pid": 1, "version": "0.0.0"}')
  const { child, url } = await serve({}, ['serve', '--port', '0', '--ready-file', file])
  await expect.poll(() => JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url, pid: child.pid, version: '0.1.0' })
  const written = readFileSync(file, 'utf8')
  expect(await fail(['--port', new URL(url).port, '--ready-file', file])).toMatchObject({ code: 1 })
  expect(readFileSync(file, 'utf8')).toBe(written)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(existsSync(file)).toBe(false)
})

test('--ready-file does not overwrite a file that is not a ready file', async () => {
  const file = join(makeTemporaryFolder(), 'notes.txt')
  writeFileSync(file, 'mine')
  const refused = spawn(process.execPath, ['dist/main.js', 'serve', '--port', '0', '--ready-file', file], { cwd: ROOT })
  let said = ''
  refused.stderr.on('data', (bytes: Buffer) => (said += bytes))
  expect(await once(refused, 'close')).toEqual([2, null])
  expect([said.split('\n')[0], readFileSync(file, 'utf8')]).toEqual([
    `vendor-cloud: cannot write ${file}: the file exists and is not a ready file. Delete it or use another path`,
    'mine',
  ])
})

test('a server that cannot write its ready file exits without a greeting', async () => {
  const file = join(makeTemporaryFolder(), 'none', 'ready.json')
  const { code, said, greeting } = await fail(['--port', '0', '--ready-file', file])
  expect([code, said, greeting]).toEqual([2, expect.stringContaining(`cannot write ${file}`), ''])
})

/** Runs a `serve` command that cannot listen. Returns its output and exit code. */
async function fail(options: readonly string[]) {
  const child = spawn(process.execPath, ['dist/main.js', 'serve', ...options], { cwd: ROOT })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  let greeting = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes))
  child.stdout.on('data', (bytes: Buffer) => (greeting += bytes))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said, greeting }
}
