/**
 * What a page of operation 19 costs the store at 1,000, 100,000 and 1,000,000 tickets of one company: CPU of the page
 * and its count. Limit 1.3 of the cost at 1,000 (stretch 1.1). Run: npx tsx bench/lists.ts [most]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryStore } from '../src/adapters/memory-store.ts'
import { toTable } from '../src/adapters/memory-tables.ts'
import type { Store } from '../src/ports.ts'
import { print } from './side-by-side.ts'

const PAGES = 2000
const ROUNDS = 9
const sizes = [1000, 100_000, 1_000_000].filter((size) => size <= Number(process.argv[2] ?? 1_000_000))
const newestFirst = { field: 'createdAt', direction: 'desc' } as const
const statuses = ['E0001', 'E0002', 'E0003']

const pages = {
  'first page': { where: { companyId: 'C100' }, offset: 0 },
  'first page of one status': { where: { companyId: 'C100', status: 'E0001' }, offset: 0 },
  'first page of two statuses': { where: { companyId: 'C100', status: ['E0001', 'E0002'] }, offset: 0 },
}

const [sample] = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/tickets.json'), 'utf8'))
const stores = sizes.map((size) => ({ size, store: load(size) }))
for (const [title, query] of Object.entries(pages)) {
  const costs = stores.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { store }] of stores.entries()) costs[i]!.push(await measure(store, query))
  }
  const medians = costs.map((each) => each.sort((a, b) => a - b)[(ROUNDS - 1) / 2]!)
  for (const [i, median] of medians.entries()) {
    const ratio = (median / medians[0]!).toFixed(2)
    print(`${title}, ${sizes[i]} tickets: ${median.toFixed(1)} us, ${ratio} of 1,000; limit 1.3, stretch 1.1`)
  }
}

function load(size: number): Store {
  const before = process.cpuUsage()
  const tickets = Array.from({ length: size }, (_, i) => ({
    ...sample,
    srid: String(1_000_000_000 + i),
    ticketNumber: String(5_000_000_000 + i),
    companyId: 'C100',
    status: statuses[i % 3],
    bpNo: String(1_000_000_000 + (i % 5000)),
    createdAt: new Date(1_700_000_000_000 + i * 1000).toISOString(),
  }))
  const store = createMemoryStore({ tables: new Map([['tickets', toTable('tickets', tickets)]]) })
  print(`${size} tickets loaded in ${(process.cpuUsage(before).user / 1e6).toFixed(1)} s of CPU`)
  return store
}

/** Microseconds of CPU for a page of 20 and the count that goes with it. */
async function measure(store: Store, { where, offset }: (typeof pages)[keyof typeof pages]): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < PAGES; i++) {
    await store.tickets.find({ where, orderBy: newestFirst, offset, limit: 20 })
    await store.tickets.count(where)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / PAGES
}
