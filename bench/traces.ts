/**
 * Measures the cost of traces for a GET with different collectors: p99 for the client, and CPU time of the server. The
 * slices of all servers run in random order, so that other work on the machine affects all of them equally. Limit for
 * dead, slow and hostile collectors: p99 within 5% of a healthy one. Run: npm run bench -- traces
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { buildsToMeasure } from './harness/commits.ts'
import { type MeasuredServer, startProgram } from './harness/measured-server.ts'
import { print, quantile, report, spreadOf } from './harness/side-by-side.ts'
import { shuffle } from './harness/slices.ts'

const ROUNDS = 24
const AMOUNT = 300
const WARM_UP = 2000
const CONNECTIONS = 16
const LIMIT = 1.05
const path = '/stg/us/guest/zipCode?zipCode=07660'
const headers = { 'request-source': 'vendor.com' }

const collectors: Readonly<Record<string, RequestListener | undefined>> = {
  healthy: (request, reply) => void request.resume().once('end', () => reply.end('{}')),
  dead: undefined,
  // This is longer than an export may take.
  slow: (request, reply) => void request.resume().once('end', () => setTimeout(() => reply.end('{}'), 60_000).unref()),
  hostile(request, reply) {
    request.resume()
    const garbage = Buffer.alloc(64 * 1024, '}\u0000{')
    const pour = () => {
      while (!reply.destroyed && reply.write(garbage));
      if (!reply.destroyed) reply.once('drain', pour)
    }
    pour()
  },
}

interface Contestant {
  name: string
  server: MeasuredServer
  pool: Pool
}

interface Slice {
  p99: number
  cpu: number
}

const contestants = [await start('off', {})]
for (const [name, listener] of Object.entries(collectors)) {
  contestants.push(await start(name, { OTEL_EXPORTER_OTLP_ENDPOINT: await listen(listener) }))
}
for (const contestant of contestants) await ask(contestant, WARM_UP)
const rounds: Map<string, Slice>[] = []
while (rounds.length < ROUNDS) {
  const round = new Map<string, Slice>()
  for (const i of shuffle(contestants.keys())) round.set(contestants[i]!.name, await measure(contestants[i]!))
  rounds.push(round)
}
for (const [name, { p99, cpu }] of rounds[0]!)
  print(`first slice, ${name}: p99 ${p99.toFixed(1)} ms, CPU ${cpu.toFixed(0)} us`)
tell('healthy', 'off', '')
for (const name of ['dead', 'slow', 'hostile']) tell(name, 'healthy', LIMIT)
await Promise.all(contestants.map(({ server }) => server.stop()))
process.disconnect?.()
process.exit()

function tell(name: string, against: string, limit: number | string): void {
  const ratios = (field: keyof Slice) =>
    spreadOf(rounds.map((round) => round.get(name)![field] / round.get(against)![field]))
  report(`traces to a ${name} collector against ${against}, p99`, ratios('p99'), limit)
  report(`traces to a ${name} collector against ${against}, CPU`, ratios('cpu'), '')
}

async function start(name: string, env: Readonly<Record<string, string>>): Promise<Contestant> {
  const { program } = buildsToMeasure()[0]!
  const own = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', OTEL_BSP_SCHEDULE_DELAY: '500' }
  const server = await startProgram({ program, env: { ...own, ...env } })
  return { name, server, pool: new Pool(server.address, { connections: CONNECTIONS, pipelining: 1 }) }
}

async function ask({ name, pool }: Contestant, amount: number): Promise<number[]> {
  const times: number[] = []
  let left = amount
  const line = async () => {
    while (left-- > 0) {
      const from = performance.now()
      const reply = await pool.request({ path, method: 'GET', headers })
      await reply.body.dump()
      if (reply.statusCode !== 200) throw new Error(`${name} answers ${reply.statusCode}`)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, line))
  return times
}

async function measure(contestant: Contestant): Promise<Slice> {
  const before = await contestant.server.spent()
  const times = await ask(contestant, AMOUNT)
  const after = await contestant.server.spent()
  return { p99: quantile(times, 0.99), cpu: (after.cpu - before.cpu) / AMOUNT }
}

async function listen(listener: RequestListener | undefined): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  if (!listener) await new Promise((resolve) => server.close(resolve))
  server.unref()
  return `http://127.0.0.1:${port}`
}
