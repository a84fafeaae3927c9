import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { asGuest, buildTestApp, listen, makeTestApp } from '../helpers/build-test-app.ts'

const ROOT = join(import.meta.dirname, '../..')

test('logs --follow exits with code 0 when its reader closes the pipe', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const ask = () => app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
  await ask()
  const words = ['dist/main.js', 'logs', '--follow', '--limit', '1', '--url', url]
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  expect(await once(createInterface(child.stdout), 'line')).toEqual([expect.stringContaining('zipCode=07660')])
  child.stdout.destroy()
  await expect
    .poll(async () => {
      await ask()
      return child.exitCode
    })
    .toBe(0)
  await ended
})

function startLogs(...options: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  return { ended: runCommand(['logs', ...options], { stdout: sink('stdout'), stderr: sink('stderr') }), written }
}

/** Returns after the existing entries have been read. Here, there are none. */
async function follow(url: string) {
  const { ended, written } = startLogs('--follow', '--url', url)
  await expect.poll(() => written.stderr).toContain('is empty')
  return { ended, written }
}

const none = 'No request in the journal of world default on this instance matches'

test('logs prints the reason and the next step if the journal has no matching entry', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  for (const [options, stderr] of [
    [[], `The journal of world default is empty on this instance. Send a request to ${url}\n`],
    [['--status', '4xx'], `${none}. Run npx --no vendor-cloud logs without filters to see all\n`],
  ] as const) {
    const { ended, written } = startLogs(...options, '--url', url)
    expect([await ended, written]).toEqual([0, { stdout: '', stderr }])
  }
})

test('logs --follow names the world and address of the requests that it waits for', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  for (const [options, stderr] of [
    [[], `The journal of world default is empty on this instance. Waiting for requests to ${url}\n`],
    [['--refused'], `${none}. Waiting for matching requests to ${url}\n`],
  ] as const) {
    const { ended, written } = startLogs('--follow', ...options, '--url', url)
    await expect.poll(() => written.stderr).toBe(stderr)
    process.emit('SIGINT', 'SIGINT')
    expect(await ended).toBe(0)
  }
})

test('logs --follow reports a lost connection once and continues when the server responds again', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const ask = (zipCode: string) => app.inject({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: asGuest() })
  const { ended, written } = await follow(url)
  await ask('07660')
  await expect.poll(() => written.stdout).toContain('zipCode=07660')
  app.server.closeAllConnections()
  await expect.poll(() => written.stderr).toContain(`\nlost the connection to ${url}; waiting for the server\n`)
  await ask('10001')
  await expect.poll(() => written.stdout, { timeout: 5000 }).toContain('zipCode=10001')
  expect(written.stderr).toMatch(new RegExp(`waiting for the server\nconnected to ${url} again\n$`))
  expect(written.stdout.split('zipCode=07660')).toHaveLength(2)
  process.emit('SIGINT', 'SIGINT')
  expect(await ended).toBe(0)
})

test('logs --follow continues with the journal of a restarted server', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const { ended, written } = await follow(url)
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
  await expect.poll(() => written.stdout).toContain('zipCode=07660')
  await app.close()
  await expect.poll(() => written.stderr, { timeout: 5000 }).toContain(`lost the connection to ${url}`)
  // A server of `buildTestApp` may already listen on another port.
  const { app: next, close } = makeTestApp()
  onTestFinished(close)
  await next.listen({ port: Number(new URL(url).port), host: '127.0.0.1' })
  await next.inject({ url: '/stg/us/guest/zipCode?zipCode=10001', headers: asGuest() })
  await expect.poll(() => written.stdout, { timeout: 5000 }).toContain('zipCode=10001')
  expect(written.stderr.split('lost the connection')).toHaveLength(2)
  process.emit('SIGINT', 'SIGINT')
  expect(await ended).toBe(0)
})

test('logs --follow continues after a reset of the world', async () => {
  const { app } = buildTestApp()
  const { ended, written } = await follow(await listen(app))
  const ask = (zipCode: string) => app.inject({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: asGuest() })
  await ask('07660')
  await expect.poll(() => written.stdout).toContain('zipCode=07660')
  await app.inject({ method: 'POST', url: '/_control/reset' })
  await ask('10001')
  await expect.poll(() => written.stdout, { timeout: 5000 }).toContain('zipCode=10001')
  process.emit('SIGINT', 'SIGINT')
  expect(await ended).toBe(0)
})
