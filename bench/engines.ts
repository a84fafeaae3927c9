/**
 * Measures what keeping records costs: writes a second with 32 in parallel (on disk at least 10,000 where the disk
 * allows), CPU of a read against memory (on disk at most 1.1), start with 100,000 tickets (under 2 s), and, with
 * servers to use, PostgreSQL's writes and the time from an event's publishing to its arrival over Redis (p99 under 20
 * ms at 1,000 a second).
 * Run: npx tsx bench/engines.ts; with DATABASE_URL and REDIS_URL of empty servers for the last two.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createDiskEngine } from '../src/server/adapters/disk/engine.ts'
import { createMemoryStore } from '../src/server/adapters/memory/store.ts'
import { nodeDigests } from '../src/server/adapters/node/digests.ts'
import { openKeptFixtures } from '../src/server/seed/kept-fixtures.ts'
import { createPostgresEngine } from '../src/server/adapters/postgres/engine.ts'
import { openRedisBus } from '../src/server/adapters/redis/bus.ts'
import { RedisLink } from '../src/server/adapters/redis/link.ts'
import { systemClock } from '../src/server/adapters/node/clock.ts'
import type { Store } from '../src/server/ports/store.ts'
import { newEvent } from '../test/server/adapters/contract/bus.contract.ts'
import { newTicket } from '../test/helpers/records.ts'
import { print, quantile, report, spreadOf } from './ground/side-by-side.ts'

const PARALLEL = 32
const TICKETS = 100_000
const record = { plan: { name: 'default' }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
const empty = { records: new Map(), blobs: [] }
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
const { DATABASE_URL, REDIS_URL } = process.env

try {
  await compareDisk()
  await startWithTickets()
  if (DATABASE_URL) await measurePostgres(DATABASE_URL)
  if (REDIS_URL) await measureRedis(REDIS_URL)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compareDisk(): Promise<void> {
  const engine = await createDiskEngine(join(folder, 'writes'), nodeDigests, openKeptFixtures)
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
  const first = await createDiskEngine(path, nodeDigests, openKeptFixtures)
  await first.create(record, { records: new Map([['tickets', tickets]]), blobs: [] })
  await first.close()
  const started = performance.now()
  const engine = await createDiskEngine(path, nodeDigests, openKeptFixtures)
  const { store } = await engine.open('default')
  const found = await store.tickets.count()
  print(`start with ${found} tickets: ${Math.round(performance.now() - started)} ms`)
  await engine.close()
}

async function measurePostgres(url: string): Promise<void> {
  const engine = await createPostgresEngine(url, systemClock)
  const { store } = (await engine.create(record, empty, { replace: true }))!
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

async function measureRedis(url: string): Promise<void> {
  const options = { world: 'bench', head: Date.now() * 1000, next: () => Date.now() * 1000 }
  const links = [new RedisLink(url, 'bench'), new RedisLink(url, 'bench')] as const
  for (const link of links) await link.open()
  const [here, there] = [await openRedisBus(links[0], options), await openRedisBus(links[1], options)]
  const sent: number[] = []
  const delays: number[] = []
  there.listen({
    onEvent: ({ deviceId }) => delays.push(performance.now() - sent[Number(deviceId)]!),
    onNotice: () => {},
  })
  const started = performance.now()
  const publishing: Promise<void>[] = []
  while (sent.length < 10_000) {
    while (sent.length < performance.now() - started) {
      publishing.push(here.publish(newEvent(String(sent.push(performance.now()) - 1))))
    }
    await new Promise(setImmediate)
  }
  await Promise.all(publishing)
  while (delays.length < sent.length) await new Promise(setImmediate)
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)].map((delay) => delay.toFixed(1))
  print(`events over Redis at 1,000 a second: p50 ${p50} ms, p99 ${p99} ms`)
  await here.forget()
  for (const bus of [here, there]) await bus.close()
  for (const link of links) await link.close()
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

/** Microseconds of CPU for so many reads by key, and a list of 20 for every 25 of them. */
async function readMany(store: Store, count: number): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    await store.settings.get(`setting-${i % 4000}`)
    if (i % 25 === 0) await store.settings.find({ limit: 20, offset: (i / 25) % 2000 })
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}
