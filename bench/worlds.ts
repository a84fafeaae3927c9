/**
 * Measures the cost of a world: time to create and reset an empty one, its heap, and its first list of tickets. Then
 * measures a fork of a world with 100,000 tickets, its first write, and the longest event-loop block of the first sort.
 * Then compares the ten-thousandth world of a server with the tenth. Limits: milliseconds, well under 1 MB, 5 ms and 1
 * MB per fork, 50 ms, 1.5. Run: node --expose-gc --import tsx bench/worlds.ts
 */
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { readConfig } from '../src/server/config.ts'
import { createRuntime } from '../src/server/runtime.ts'
import { newTicket } from '../test/helpers/records.ts'
import { ourServer } from './harness/our-server.ts'
import { print, report, spreadOf } from './harness/side-by-side.ts'

const WORLDS = 500
const FORKS = 20
const TICKETS = 100_000
const [FEW, MANY] = [10, 10_000]
const ROUNDS = 15
const MADE = 100

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

const [few, many] = [await serverWith(FEW), await serverWith(MANY - MADE)]
const ratios: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const alone = await cpuOfMaking(few)
  ratios.push((await cpuOfMaking(many)) / alone)
}
report(`the world number ${MANY} against number ${FEW}`, spreadOf(ratios), 1.5)
await Promise.all([few.close(), many.close()])

async function serverWith(count: number): Promise<FastifyInstance> {
  const app = await ourServer()
  for (let i = 1; i < count; i++) await makeWorld(app)
  return app
}

async function cpuOfMaking(app: FastifyInstance): Promise<number> {
  const names: string[] = []
  const before = process.cpuUsage()
  while (names.length < MADE) names.push(await makeWorld(app))
  const { user, system } = process.cpuUsage(before)
  for (const name of names) await app.inject({ method: 'DELETE', url: `/_control/worlds/${name}` })
  return user + system
}

async function makeWorld(app: FastifyInstance): Promise<string> {
  const reply = await app.inject({ method: 'POST', url: '/_control/worlds', payload: {} })
  if (reply.statusCode !== 200) throw new Error(`no world is made: ${reply.body}`)
  return reply.json().name
}

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
