/**
 * Measures how long a client waits, and how much memory the server needs with a heap of 512 MB, while 20 connections
 * each send 2,000 requests for large responses at once and read nothing. After these disconnect, all of their memory
 * must be free. Run: npm run build && npx tsx bench/pipelining.ts
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { print, quantile, report } from './harness/side-by-side.ts'

const ROOT = join(import.meta.dirname, '..')
const CONNECTIONS = 20
const REQUESTS = 2000
const SECONDS = 20
const identity = 'request-source: vendor.com\r\nvendorus-profId: dealer-erin\r\n'
const paths = ['/openapi/support.json', '/stg/us/dealer/tickets?limit=100', '/docs/swagger-ui-bundle.js']

const { child, url } = await start()
try {
  await measure('alone', [])
  for (const path of paths) {
    const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${identity}\r\n`.repeat(REQUESTS)
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => send(text)))
    const { p99, peak } = await measure(path, sockets)
    report(`p99 of a client beside ${CONNECTIONS} that pipeline ${path}, ms`, p99.toFixed(0), 250)
    report('memory of the server meanwhile, MB', (peak / 1e6).toFixed(0), 400)
    for (const socket of sockets) socket.destroy()
  }
  await wait(1000)
  const left = await gaugesOf(url)
  print(`when they have left: ${(left.memory / 1e6).toFixed(0)} MB, ${left.descriptors} open descriptors`)
} finally {
  child.kill()
}

async function measure(what: string, sockets: readonly Socket[]): Promise<{ p99: number; peak: number }> {
  const times: number[] = []
  let peak = 0
  let looked = 0
  const end = performance.now() + SECONDS * 1000
  while (performance.now() < end) {
    const before = performance.now()
    const reply = await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'splus' } })
    await reply.text()
    times.push(performance.now() - before)
    if (performance.now() - looked > 500) {
      looked = performance.now()
      peak = Math.max(peak, (await gaugesOf(url)).memory)
    }
    await wait(2)
  }
  const [p50, p99, most] = [0.5, 0.99, 1].map((q) => quantile(times, q)) as [number, number, number]
  const open = sockets.filter(({ destroyed }) => !destroyed).length
  print(
    `${what}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${most.toFixed(0)} ms of ${times.length}; ` +
      `memory ${(peak / 1e6).toFixed(0)} MB; ${open} of ${sockets.length} connections are open`,
  )
  return { p99, peak }
}

async function gaugesOf(address: string): Promise<{ memory: number; descriptors: number }> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return { memory: read('process_resident_memory_bytes'), descriptors: read('process_open_fds') }
}

async function send(text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause().on('error', () => {})
  socket.write(text)
  return socket
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const server = spawn(process.execPath, ['--max-old-space-size=512', join(ROOT, 'dist/main.js')], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of server.stdout) {
    text += String(chunk)
    const [address] = /http:\/\/[\d.]+:\d+(?=\s)/.exec(text) ?? []
    if (address) return { child: server, url: address }
  }
  throw new Error('the server has not started')
}
