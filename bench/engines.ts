/**
 * Measures the cost of storing records: writes per second with 32 in parallel (on disk at least 10,000 if the disk
 * allows it), CPU time of a read compared with memory (on disk at most 1.1), and the start with 100,000 tickets (under
 * 2 s). With a database, also measures the writes of PostgreSQL, and the time until an event that one instance emits
 * arrives on another one (p99 at most 50 ms at 1,000 events per second, in one world and in ten).
 * Run: npx tsx bench/engines.ts. Set DATABASE_URL to an empty database for the last two.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createDiskEngine } from '../src/server/adapters/disk/engine.ts'
import { createMemoryStore } from '../src/server/adapters/memory/store.ts'
import { nodeDigests } from '../src/server/adapters/node/digests.ts'
import { openStoredFixtures } from '../src/server/seed/stored-fixtures.ts'
import { createPostgresEngine } from '../src/server/adapters/postgres/engine.ts'
import { systemClock } from '../src/server/adapters/node/clock.ts'
import type { Store } from '../src/server/ports/store.ts'
import { newEvent } from '../test/server/adapters/contract/bus.contract.ts'
import { newTicket } from '../test/helpers/records.ts'
import { print, quantile, report, spreadOf } from './harness/side-by-side.ts'

const PARALLEL = 32
const TICKETS = 100_000
const record = { plan: { name: 'default' }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
const empty = { records: new Map(), blobs: [] }
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
const { DATABASE_URL } = process.env

try {
  await compareDisk()
  await startWithTickets()
  if (DATABASE_URL) {
    await measurePostgres(DATABASE_URL)
    for (const worlds of [1, 10]) await measureEvents(DATABASE_URL, worlds)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compareDisk(): Promise<void> {
  const engine = await createDiskEngine(join(folder, 'writes'), nodeDigests, openStoredFixtures)
  const { store: durable } = (await engine.create(record, empty))!
  const memory = createMemoryStore()
  const writes: number[] = []
  for (let round = 0; round < 3; round++) {
    writes.push(await writeMany(durable, 20_000))
    print(`memory: ${await writeMany(memory, 40_000)} writes/s; disk: ${writes.at(-1)} writes/s`)
  }
  report('synced writes a second on disk, 32 in parallel', spreadOf(writes, 0), 'at least 10,000')
  const ratios = []
  for (let round = 0; round < 15; round++) {
    const [left, right] = [await readMany(memory, 50_000), await readMany(durable, 50_000)]
    ratios.push(right / left)
  }
  report('reads, CPU of the disk engine against memory', spreadOf(ratios), 1.1)
  await engine.close()
}

async function startWithTickets(): Promise<void> {
  const path = join(folder, 'tickets')
  const tickets = Array.from({ length: TICKETS }, (_, i) =>
    newTicket({ srid: String(1_000_000_000 + i), ticketNumber: String(2_000_000_000 + i) }),
  )
  const first = await createDiskEngine(path, nodeDigests, openStoredFixtures)
  await first.create(record, { records: new Map([['tickets', tickets]]), blobs: [] })
  await first.close()
  const started = performance.now()
  const engine = await createDiskEngine(path, nodeDigests, openStoredFixtures)
  const { store } = await engine.open('default')
  const found = await store.tickets.count()
  print(`start with ${found} tickets: ${Math.round(performance.now() - started)} ms`)
  await engine.close()
}

async function measurePostgres(url: string): Promise<void> {
  const engine = await createPostgresEngine(url, systemClock)
  const { store } = (await engine.create(record, empty)) ?? (await engine.open('default'))
  for (let round = 0; round < 3; round++) print(`PostgreSQL: ${await writeMany(store, 4000)} writes/s`)
  const memory = createMemoryStore()
  await writeMany(memory, 4000)
  const ratios = []
  for (let round = 0; round < 5; round++) {
    const [left, right] = [await readMany(memory, 4000), await readMany(store, 4000)]
    ratios.push(right / left)
  }
  print(`reads, CPU of PostgreSQL's driver against memory: ${spreadOf(ratios)}`)
  await engine.close()
}

async function measureEvents(url: string, worlds: number): Promise<void> {
  const engines = [await createPostgresEngine(url, systemClock), await createPostgresEngine(url, systemClock)] as const
  const sent: number[] = []
  const delays: number[] = []
  const here: Store[] = []
  for (let world = 0; world < worlds; world++) {
    const plan = { name: `events-${world}` }
    const made = { ...record, plan }
    const { store } = (await engines[0].create(made, empty)) ?? (await engines[0].open(plan.name))
    here.push(store)
    const { bus } = await engines[1].open(plan.name)
    bus.listen({
      onEvent: ({ deviceId }) => delays.push(performance.now() - sent[Number(deviceId)]!),
      onNotice: () => {},
    })
  }
  const started = performance.now()
  const emitting: Promise<void>[] = []
  while (sent.length < 10_000) {
    while (sent.length < performance.now() - started) {
      const n = sent.push(performance.now()) - 1
      const event = newEvent(String(n))
      emitting.push(here[n % worlds]!.transaction(async (tx) => tx.emit({ event })))
    }
    await new Promise(setImmediate)
  }
  await Promise.all(emitting)
  while (delays.length < sent.length) await new Promise(setImmediate)
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)] as const
  print(`events over PostgreSQL at 1,000 a second, ${worlds} worlds: p50 ${p50.toFixed(1)} ms`)
  report(`events over PostgreSQL at 1,000 a second, ${worlds} worlds, p99 in ms`, p99.toFixed(1), 50)
  for (const engine of engines) await engine.close()
}

async function writeMany(store: Store, count: number): Promise<number> {
  let next = 0
  const write = async () => {
    while (next < count) {
      const name = `setting-${next++}`
      await store.transaction((tx) => tx.settings.put({ name, value: 'x'.repeat(200) }))
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: PARALLEL }, write))
  return Math.round((count * 1000) / (performance.now() - started))
}

/**
 * Returns the CPU time in microseconds of `count` reads by key. After every 25 reads, a list of 20 records is read too.
 */
async function readMany(store: Store, count: number): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    await store.settings.get(`setting-${i % 4000}`)
    if (i % 25 === 0) await store.settings.find({ limit: 20, offset: (i / 25) % 2000 })
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}
