/**
 * Measures what a world costs: time to make an empty one and to reset one, heap of an empty one, and the first call
 * that reads its tickets; a fork of a world of 100,000 tickets, the first write to it, and the longest that the event
 * loop stands still while they are first sorted. Limits: milliseconds to make, well under 1 MB; a fork 5 ms and 1 MB;
 * 50 ms. Run: node --expose-gc --import tsx bench/worlds.ts
 */
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readConfig } from '../src/server/config.ts'
import { createRuntime } from '../src/server/runtime.ts'
import { newTicket } from '../test/helpers/records.ts'
import { print, report } from './ground/side-by-side.ts'

const WORLDS = 500
const FORKS = 20
const TICKETS = 100_000

const worlds = await createRuntime(readConfig({ SEED: 'bench' }), join(import.meta.dirname, '../fixtures'))
const plan = (i: number) => ({ name: `w${i}`, seed: 'bench', now: Date.UTC(2001, 0, 1) + i * 86_400_000 })

const before = heap()
const making = await timed(WORLDS, async (i) => void (await worlds.create(plan(i))))
const empty = (heap() - before) / WORLDS
const reset = await timed(WORLDS, async (i) => void (await worlds.reset(`w${i}`)))
const touched = 20
const beforeTouch = heap()
const touching = await timed(touched, async (i) => void (await worlds.find(`w${i}`)!.store.tickets.find({ limit: 1 })))
const full = (heap() - beforeTouch) / touched

report('making a world, ms', making.toFixed(2), 'milliseconds')
report('resetting a world, ms', reset.toFixed(2), 'milliseconds')
report('heap of an empty world, KB', (empty / 1024).toFixed(0), 'well under 1,000')
const first = `${touching.toFixed(1)} ms, ${(full / 1024).toFixed(0)} KB`
print(`first look at its tickets (${await worlds.find('w0')!.store.tickets.count()}): ${first}`)

await worlds.create({ name: 'large' })
const { store } = worlds.find('large')!
for (let from = 0; from < TICKETS; from += 1000) {
  await store.transaction(async (tx) => {
    for (let i = from; i < from + 1000; i++) await tx.tickets.put(ticketOf(i))
  })
}
const beforeFork = heap()
const forking = await timed(FORKS, async (i) => void (await worlds.create({ name: `f${i}`, from: 'large' })))
const fork = (heap() - beforeFork) / FORKS
const writing = await timed(1, async () => {
  await worlds.find('f0')!.store.transaction((tx) => tx.tickets.put(ticketOf(TICKETS)))
})
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const listing = await timed(1, async () => {
  await store.tickets.find({
    where: { companyId: 'C100' },
    orderBy: { field: 'createdAt', direction: 'desc' },
    limit: 20,
  })
})
delay.disable()
report('a fork of a world of 100,000 tickets', `${forking.toFixed(2)} ms, ${(fork / 1024).toFixed(0)} KB`, '5 ms, 1 MB')
print(`the first write to it ${writing.toFixed(1)} ms, the first list ${listing.toFixed(0)} ms`)
report('event loop held by the first list of 100,000 tickets, ms', (delay.max / 1e6).toFixed(0), 50)
await worlds.close()

function ticketOf(i: number) {
  const createdAt = new Date(Date.UTC(2020, 0, 1) + ((i * 48_271) % 1_000_003) * 60_000).toISOString()
  const [srid, ticketNumber] = [String(5_000_000_000 + i), String(8_500_000_000 + i)]
  return newTicket({ srid, ticketNumber, createdAt, companyId: 'C100' })
}

async function timed(count: number, work: (i: number) => Promise<void>): Promise<number> {
  const from = process.hrtime.bigint()
  for (let i = 0; i < count; i++) await work(i)
  return Number(process.hrtime.bigint() - from) / 1e6 / count
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
