import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { asGuest, buildTestApp, listen } from '../../../helpers/build-test-app.ts'
import { startCollector } from '../../../helpers/collector.ts'
import { startProcess } from '../../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../../..')

test('a draining server fails its readiness check, still serves requests and closes their connections', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const ask = async (path: string) => {
    const reply = await fetch(url + path, { headers: asGuest() })
    return [reply.status, reply.headers.get('connection'), await reply.text()]
  }
  const zipCode = '/stg/us/guest/zipCode?zipCode=07660'
  expect((await ask('/health/ready')).slice(0, 2)).toEqual([200, 'keep-alive'])
  app.drain.announce()
  const leaving = '{"status":"unavailable","reason":"the server is shutting down"}'
  expect(await ask('/health/ready')).toEqual([503, 'close', leaving])
  expect((await ask('/health/live')).slice(0, 2)).toEqual([200, 'close'])
  expect((await ask(zipCode)).slice(0, 2)).toEqual([200, 'close'])
  expect(app.drain.isAnnounced).toBe(true)
})

test('the server serves requests for SHUTDOWN_DELAY after SIGTERM and then closes its port', async () => {
  const file = join(makeTemporaryFolder(), 'ready.json')
  const program = ['dist/main.js', 'serve', '--ready-file', file]
  const server = await startProcess({ SHUTDOWN_DELAY: '1' }, { program })
  const start = performance.now()
  const stopped = server.stop('SIGTERM')
  const isLeaving = async () => (await fetch(`${server.url}/health/ready`)).status === 503
  while (!(await isLeaving()));
  const headers = { ...asGuest(), 'content-type': 'application/json' }
  const body = JSON.stringify({ rating: 5, comment: 'fine' })
  const sent = await fetch(`${server.url}/stg/us/guest/customerFeedback`, { method: 'POST', headers, body })
  expect([sent.status, sent.headers.get('connection')]).toEqual([200, 'close'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: server.url })
  expect(await stopped).toBe(0)
  expect(performance.now() - start).toBeGreaterThanOrEqual(1000)
  await expect(fetch(`${server.url}/health/live`)).rejects.toThrow('fetch failed')
  expect(existsSync(file)).toBe(false)
})

test('a second signal ends the program and removes the ready file', async () => {
  const file = join(makeTemporaryFolder(), 'ready.json')
  const server = await startProcess(
    { SHUTDOWN_DELAY: '300' },
    { program: ['dist/main.js', 'serve', '--ready-file', file] },
  )
  const stopped = server.stop('SIGTERM')
  await expect.poll(async () => (await fetch(`${server.url}/health/ready`)).status).toBe(503)
  expect(existsSync(file)).toBe(true)
  server.process.kill('SIGINT')
  expect([await stopped, existsSync(file)]).toEqual([1, false])
})

test('Ctrl-C ends the program without waiting for SHUTDOWN_DELAY', async () => {
  const server = await startProcess({ SHUTDOWN_DELAY: '300' })
  const start = performance.now()
  expect(await server.stop('SIGINT')).toBe(0)
  expect(performance.now() - start).toBeLessThan(60_000)
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a second signal, %s, ends the program during the SHUTDOWN_DELAY that follows SIGTERM',
  async (second) => {
    const server = await startProcess({ SHUTDOWN_DELAY: '300' })
    const ended = server.stop('SIGTERM')
    await expect.poll(async () => (await fetch(`${server.url}/health/ready`)).status).toBe(503)
    // Within 250 ms, the server treats the same signal as one that npm has forwarded. The signal is therefore sent
    // repeatedly.
    const again = setInterval(() => server.process.kill(second), 20)
    onTestFinished(() => clearInterval(again))
    expect(await ended).toBe(1)
  },
)

test('Ctrl-C in npm start ends the server and removes its ready file', async () => {
  // Sending the spans takes longer than npm waits for the server.
  const collector = await startCollector(() => {})
  const file = join(makeTemporaryFolder(), 'ready.json')
  const args = ['start', '--silent', '--', 'serve', '--port', '0', '--ready-file', file]
  const npm = spawn('npm', args, {
    cwd: ROOT,
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    detached: true,
    stdio: 'ignore',
  })
  onTestFinished(() => void npm.kill('SIGKILL'))
  await vi.waitUntil(() => existsSync(file), { timeout: 30_000 })
  const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string }
  await fetch(`${url}/_control/status`)
  process.kill(-npm.pid!, 'SIGINT')
  await vi.waitUntil(() => !existsSync(file), { timeout: 30_000 })
})

test('an unexpected error is logged and ends the program without waiting for SHUTDOWN_DELAY', async () => {
  const thrower = 'data:text/javascript,process.on("SIGUSR1", () => { throw new Error("planted") })'
  const server = await startProcess({ SHUTDOWN_DELAY: '300' }, { program: ['--import', thrower, 'dist/main.js'] })
  let said = ''
  server.process.stderr!.on('data', (bytes: Buffer) => (said += bytes))
  expect(await server.stop('SIGUSR1')).toBe(1)
  expect(said).toContain('unexpected error, shutting down: Error: planted')
})
