/**
 * Measures the response time of `/health/live` during long work. The client runs in its own process and calls an idle
 * server in between. Other work on the machine delays a busy server more than an idle one, so the script also reports
 * the longest event-loop tick in CPU time. ONLY selects one kind of work. Run: npm run build && npx tsx
 * bench/neighbors.ts
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newTicket } from '../test/helpers/records.ts'
import { print, quantile, report } from './harness/side-by-side.ts'
import { start, type Turn } from './standstill/server.ts'
import { readParts, writeParts } from '../test/helpers/documents/snapshots.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
const only = process.env['ONLY']
const TICKETS = 100_000
const ENTRIES = 10_000
const guest = { 'request-source': 'vendor.com', 'content-type': 'application/json' }

const { url, longestTurn, stop } = await start({})
const probe = fork(join(import.meta.dirname, 'harness/health-probe.mjs'), [url])
try {
  await fill()
  const snapshot = await makeSnapshot()
  const verify = JSON.stringify({ match: { body: { comment: 'nothing' } } })
  const works = {
    '20 verifications of a journal of 10,000': () => times(20, () => send('POST', '/_control/journal/verify', verify)),
    '2 archives of it': () => times(2, () => send('GET', '/_control/journal?format=har')),
    '5 searches in it': () => times(5, () => send('GET', '/_control/journal?q=nothing')),
    'a snapshot of 100,000 tickets that is put': () => [send('PUT', '/w/large/_control/snapshot', snapshot)],
    'a snapshot of 100,000 tickets that is read': () => [send('GET', '/w/large/_control/snapshot')],
    '30 connections that pipeline': () => times(30, () => pipeline(50)),
  }
  const all = { ...works, 'all of these': () => Object.values(works).flatMap((work) => work()) }
  for (const [name, work] of Object.entries(all)) {
    if (only === undefined || only === name) await measure(name, () => Promise.all(work()))
  }
} finally {
  probe.kill()
  await stop()
}

async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
  const [idle, busy]: [number[][], number[][]] = [[], []]
  const turns: Turn[] = []
  await work()
  for (let round = 0; round < ROUNDS; round++) {
    await readTimes()
    await wait(500)
    idle.push(await readTimes())
    await longestTurn()
    const end = performance.now() + 1000
    do await work()
    while (performance.now() < end)
    busy.push(await readTimes())
    turns.push(await longestTurn())
  }
  print(`${what}: ${describe(busy)}; idle: ${describe(idle)}`)
  const longest = busy.map((each) => Math.max(...each))
  report(`/health/live beside ${what}, longest of a round, ms`, quantile(longest, 0.5).toFixed(0), 250)
  const held = turns.map((turn) => turn.longest)
  report(`event loop held meanwhile, ms of the processor`, quantile(held, 0.5).toFixed(0), 250)
}

function describe(rounds: readonly number[][]): string {
  const all = rounds.flat()
  const [p50, p99, most] = [0.5, 0.99, 1].map((q) => quantile(all, q).toFixed(1))
  return `p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms of ${all.length}`
}

async function readTimes(): Promise<number[]> {
  probe.send('tell')
  const [all] = (await once(probe, 'message')) as [number[]]
  return all.length > 0 ? all : readTimes()
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

/** Discards the response, because parsing it would take processor time from the server. */
function send(method: string, path: string, body = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers: { ...guest, 'content-length': Buffer.byteLength(body) } })
    outgoing.once('error', reject).once('response', (reply) => {
      if (reply.statusCode! >= 300) reject(new Error(`${method} ${path}: ${reply.statusCode}`))
      reply.resume().once('end', resolve)
    })
    outgoing.end(body)
  })
}

async function pipeline(count: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const line = (last: boolean) =>
    `GET /openapi/support.json HTTP/1.1\r\nHost: localhost\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
  const socket = connect(Number(port), hostname).resume()
  socket.write(line(false).repeat(count - 1) + line(true))
  await once(socket, 'close')
}

async function fill(): Promise<void> {
  const feedback = (i: number) => JSON.stringify({ rating: 5, comment: `visit ${i}` })
  for (let i = 0; i < ENTRIES; i += 20)
    await Promise.all(times(20, (k) => send('POST', '/stg/us/guest/customerFeedback', feedback(i + k))))
  await send('POST', '/_control/worlds', JSON.stringify({ name: 'large' }))
}

async function makeSnapshot(): Promise<string> {
  const snapshot = readParts(await (await fetch(`${url}/w/large/_control/snapshot`)).text())
  const numbers = (i: number) => ({ srid: String(5_000_000_000 + i), ticketNumber: String(8_500_000_000 + i) })
  for (let i = 0; i < TICKETS; i++) snapshot.records.tickets.push(newTicket({ ...numbers(i), companyId: 'C100' }))
  return writeParts(snapshot)
}
