import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { launchProcess } from '../../../src/cli/examine/examined-process.ts'
import { newSeed } from '../../../src/server/runtime.ts'

/** Starts a client and waits until it has sent a request. Returns the path of the request. */
async function launchUntilCalled(script: string) {
  const server = createServer((_request, reply) => reply.end()).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const called = once(server, 'request') as Promise<[IncomingMessage]>
  const client = launchProcess(process.execPath, ['-e', script], { ...process.env, URL: `http://127.0.0.1:${port}/` })
  const [{ url }] = await called
  return { client, path: url!.slice(1) }
}

async function launchUntilReady(atTheEnd: string) {
  const script = `process.on('SIGTERM', () => { ${atTheEnd} }); setInterval(() => {}, 1000); fetch(process.env.URL)`
  return (await launchUntilCalled(script)).client
}

const busy = (ms: number) =>
  `const { user, system } = process.cpuUsage()
   for (let used = 0; used < ${ms} * 1000; ) { const now = process.cpuUsage(); used = now.user + now.system - user - system }
   process.exit()`

test('four clients that each work for one second can exit before they are killed', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => launchUntilReady(busy(1000))))
  expect(await Promise.all(clients.map((client) => client.stop()))).toEqual([true, true, true, true])
})

test.each([
  ['stays idle', ''],
  ['stays busy', 'for (;;);'],
])('a client that %s after SIGTERM is killed and reported as hanging', async (_, atTheEnd) => {
  const client = await launchUntilReady(atTheEnd)
  expect(await client.stop()).toBe(false)
  expect(await client.ended).toEqual({ code: 0 })
})

test('processes that a client started are stopped when the client is stopped', async () => {
  const { client, path } = await launchUntilCalled(`
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    fetch(process.env.URL + child.pid)`)
  await client.stop()
  await expect.poll(() => isAlive(Number(path))).toBe(false)
})

/** Signal 0 does not end the process. It only checks whether the process exists. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a generated seed never starts with a hyphen', () => {
  const seeds = Array.from({ length: 1000 }, newSeed)
  expect(seeds.filter((seed) => seed.startsWith('-'))).toEqual([])
})
