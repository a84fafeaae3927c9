/**
 * Measures the CPU time of a recorded world (create, record, ten calls, delete). Compares it with a world without a
 * recording, and with a recorded world whose case is read at the end, as after a failed test. Runs in memory, on
 * SQLite, and on PostgreSQL if DATABASE_URL is set. Limit: 2. Then measures the heap used by 2,000 such worlds, of
 * which every tenth has failed. Limit: 256 MB. Run: npx tsx bench/recorded-worlds.ts
 */
import process from 'node:process'
import { connectVendorCloud } from '../src/index.ts'
import { ourServer } from './harness/our-server.ts'
import { print, report, serveInChild, spreadOf, startServer } from './harness/side-by-side.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'

const { DATABASE_URL, DATA_DIR } = process.env
const SLICES = 15
const WORLDS = 20
const MANY = 2000
const AT_ONCE = 4
const headers = { 'request-source': 'vendor.com' }

type Kind = 'plain' | 'recorded' | 'failed'

const servers = {
  memory: () => ourServer(),
  sqlite: () => ourServer({ settings: { DATA_DIR: DATA_DIR ?? temporaryFolder() } }),
  postgres: () => ourServer({ settings: { DATABASE_URL: DATABASE_URL ?? '' } }),
}

if (!(await serveInChild(servers))) {
  for (const engine of ['memory', 'sqlite', ...(DATABASE_URL ? ['postgres'] : [])]) await measureEngine(engine)
  await measureHeap()
}

async function measureEngine(engine: string): Promise<void> {
  const server = await startServer(import.meta.filename, engine)
  const cloud = connectVendorCloud(server.address)
  const costs: Record<Kind, number[]> = { plain: [], recorded: [], failed: [] }
  // The first slice of each kind only warms up.
  for (let slice = 0; slice <= SLICES; slice++) {
    for (const kind of ['plain', 'recorded', 'failed'] as const) {
      const before = await server.cpu()
      for (let i = 0; i < WORLDS; i++) await live(cloud, kind)
      if (slice > 0) costs[kind].push(((await server.cpu()) - before) / WORLDS / 1000)
    }
  }
  server.stop()
  for (const kind of ['plain', 'recorded', 'failed'] as const) print(`${engine}, ${kind}: ${spreadOf(costs[kind])} ms`)
  const over = (kind: Kind) => spreadOf(costs[kind].map((each, i) => each / costs.plain[i]!))
  report(`a recorded world against a plain one, ${engine}`, over('recorded'), 2)
  report(`the same with its case, ${engine}`, over('failed'), '')
}

/** If the heap is full, the server exits, and the benchmark exits too. */
async function measureHeap(): Promise<void> {
  const server = await startServer(import.meta.filename, 'memory', ['--max-old-space-size=256'])
  const cloud = connectVendorCloud(server.address)
  const used: string[] = []
  for (let i = 0; i <= MANY; i += AT_ONCE) {
    if (i % (MANY / 5) === 0) used.push(await readHeap(server.address))
    const lives = Array.from({ length: AT_ONCE }, (_, k) => live(cloud, (i + k) % 10 === 0 ? 'failed' : 'recorded'))
    await Promise.all(lives)
  }
  server.stop()
  report(`heap in use behind 0 to ${MANY} recorded worlds that are gone, MB`, used.join(', '), 256)
}

async function readHeap(address: string): Promise<string> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return (Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)![1]) / 1e6).toFixed(0)
}

async function live(cloud: ReturnType<typeof connectVendorCloud>, kind: Kind): Promise<void> {
  const world = await cloud.world({ record: kind !== 'plain' })
  for (let i = 0; i < 5; i++) {
    await send(world.url, '/stg/us/guest/zipCode?zipCode=07660')
    await send(world.url, '/stg/us/guest/customerFeedback', { rating: 1 + i, comment: `visit ${i}` })
  }
  if (kind === 'failed') await world.recording.read()
  await world.delete()
}

async function send(url: string, path: string, body?: object): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const reply = await fetch(url + path, { headers: { ...headers, ...(body && json) }, ...init })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}
