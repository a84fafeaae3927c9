/**
 * Measures the CPU time of a page of 20 tickets (operation 19) with 1,000, 100,000 and 1,000,000 tickets in the store,
 * per HTTP request with 10 connections. Limit: 1.2 times the cost with 1,000 tickets. Goal: 1.1.
 * Run: npx tsx bench/lists.ts
 */
import { createMemoryStore } from '../src/server/adapters/memory/store.ts'
import type { Stored } from '../src/server/adapters/record.ts'
import type { Ports } from '../src/server/ports.ts'
import type { Worlds } from '../src/server/ports/worlds.ts'
import type { CollectionName, RecordOf } from '../src/contract/records/collections.ts'
import { ourServer } from './harness/our-server.ts'
import {
  measure,
  print,
  quantile,
  report,
  type Server,
  serveInChild,
  spreadOf,
  startServer,
} from './harness/side-by-side.ts'

const SIZES = [1000, 100_000, 1_000_000]
const ROUNDS = 11
const AMOUNT = 2000
const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const path = '/stg/us/dealer/tickets?limit=20'
const twoStatuses = `${path}&statusList=E0001&statusList=E0002`

const pages: Record<string, (size: number) => string> = {
  'first page': () => path,
  'page in the middle': (size) => `${path}&offset=${size / 2}`,
  'first page of two statuses': () => twoStatuses,
  'page of two statuses in the middle': (size) => `${twoStatuses}&offset=${Math.round(size / 3)}`,
}

const serverOf = (size: number) => ourServer({ journal: false, prepare: (worlds) => keepTickets(worlds, size) })

async function keepTickets(worlds: Worlds, size: number): Promise<void> {
  const ports = worlds.find('default') as { -readonly [P in keyof Ports]: Ports[P] }
  const profile = await ports.store.profiles.get('profile:dealer-erin')
  const [example] = await ports.store.tickets.find({ where: { companyId: 'C100' }, limit: 1 })
  const started = performance.now()
  const tickets = Array.from({ length: size }, (_, i) => newTicket(example!, i))
  ports.store = createMemoryStore({
    records: new Map<CollectionName, Stored[]>([
      ['profiles', [profile!]],
      ['tickets', tickets],
    ]),
  })
  const seconds = (performance.now() - started) / 1000
  print(`${size} tickets: ${seconds.toFixed(1)} s, ${(process.memoryUsage().rss / 1024 / 1024).toFixed(0)} MB resident`)
}

/**
 * Tickets differ only in the fields that lists use. None of them has a missed appointment, because each open ticket
 * with a missed appointment would add 7 to 10 us to a list by status.
 */
function newTicket(example: RecordOf<'tickets'>, i: number): RecordOf<'tickets'> {
  const at = new Date(Date.UTC(2020, 0, 1) + i * 61_000).toISOString()
  const status = (['E0001', 'E0002', 'E0003'] as const)[i % 3]!
  const ids = { srid: String(1_000_000_000 + i), ticketNumber: String(2_000_000_000 + i) }
  const appointment = { ...example.appointment!, date: '2090-01-02' }
  return {
    ...example,
    ...ids,
    appointment,
    status,
    createdAt: at,
    updatedAt: at,
    bpNo: String(1_000_000_000 + (i % 500)),
  }
}

async function compare(servers: readonly Server[], name: string): Promise<void> {
  const costs = servers.map((): number[] => [])
  for (let round = -2; round < ROUNDS; round++) {
    for (const [i, server] of servers.entries()) {
      const cost = await measure(server, { path: pages[name]!(SIZES[i]!), headers }, AMOUNT)
      // The first rounds only warm up, so they are excluded.
      if (round >= 0) costs[i]!.push(cost)
    }
  }
  const shown = costs.map((each, i) => {
    const ratios = each.map((cost, round) => cost / costs[0]![round]!)
    if (i > 0) report(`${name} of ${SIZES[i]} tickets against ${SIZES[0]}`, spreadOf(ratios), 1.2)
    return `${quantile(each, 0.5).toFixed(0)} us at ${SIZES[i]}`
  })
  print(`${name}: ${shown.join(', ')}`)
}

if (!(await serveInChild(Object.fromEntries(SIZES.map((size) => [String(size), () => serverOf(size)]))))) {
  const servers: Server[] = []
  for (const size of SIZES) {
    servers.push(await startServer(import.meta.filename, String(size), ['--max-old-space-size=12000']))
  }
  for (const name of Object.keys(pages)) await compare(servers, name)
  for (const server of servers) server.stop()
}
