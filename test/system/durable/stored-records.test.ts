import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryStore } from '../../../src/server/adapters/memory/store.ts'
import { UniqueViolation } from '../../../src/server/ports/failures.ts'
import type { Query, Store } from '../../../src/server/ports/store.ts'
import { newTicket } from '../../helpers/records.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { openEngine, worldRecord } from './directories.ts'

const tickets = Array.from({ length: 300 }, (_, i) => {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + ((i * 7919) % 100) * 3_600_000).toISOString()
  return newTicket({
    srid: String(9_410_000_000 + ((i * 48_271) % 1009)),
    ticketNumber: String(9_720_000_001 + i),
    companyId: `T${100 + (i % 3)}`,
    status: (['E0001', 'E0002', 'E0003'] as const)[i % 3 === 0 ? i % 2 : 2]!,
    bpNo: String(9_100_000_001 + (i % 11)),
    createdAt,
  })
})
const records = () => new Map([['tickets', tickets]] as const)

/** Stores a world with these tickets. Returns the store that the next server opens. */
async function openStored(): Promise<Store> {
  const folder = join(makeTemporaryFolder(), 'data')
  const first = await openEngine(folder)
  await first.create(worldRecord(), { records: records(), blobs: [] })
  await first.close()
  const next = await openEngine(folder)
  onTestFinished(() => next.close())
  return (await next.open('default')).store
}

const queries = [
  ...['T100', 'T101', 'T102', 'nobody'].flatMap((companyId) => [
    { where: { companyId }, orderBy: { field: 'createdAt', direction: 'desc' } },
    { where: { companyId, status: ['E0001', 'E0003'] }, orderBy: { field: 'bpNo', direction: 'asc' }, offset: 7 },
    { where: { companyId, status: 'E0002' }, limit: 5 },
  ]),
  { where: { bpNo: '9100000003' }, orderBy: { field: 'createdAt', direction: 'asc' } },
  { where: { ticketNumber: '9720000017' } },
  {},
] as Query<'tickets'>[]

test('after a restart, queries return the same records in the same order as before', async () => {
  const [kept, fresh] = [await openStored(), createMemoryStore({ records: records() })]
  for (const query of queries) expect(await kept.tickets.find(query)).toEqual(await fresh.tickets.find(query))
  for (const { where } of queries) expect(await kept.tickets.count(where)).toBe(await fresh.tickets.count(where))
})

test('after a restart, records can be changed before they are read', async () => {
  const [kept, fresh] = [await openStored(), createMemoryStore({ records: records() })]
  for (const store of [kept, fresh]) {
    const [first, second, third] = tickets.map(({ srid }) => srid)
    await store.transaction((tx) => tx.tickets.delete(first!))
    const twin = store.transaction((tx) => tx.tickets.put(newTicket({ srid: second!, ticketNumber: '9720000003' })))
    await expect(twin).rejects.toThrow(UniqueViolation)
    await store.transaction((tx) => tx.tickets.put(newTicket({ srid: third!, ticketNumber: '9720000003' })))
  }
  for (const query of queries) expect(await kept.tickets.find(query)).toEqual(await fresh.tickets.find(query))
})

test('reading a stored record twice returns the same frozen object', async () => {
  const kept = await openStored()
  const [ticket] = await kept.tickets.find({ limit: 1 })
  expect(await kept.tickets.get(ticket!.srid)).toBe(ticket)
  expect(Object.isFrozen(ticket) && Object.isFrozen(ticket!.customer) && Object.isFrozen(ticket!.history)).toBe(true)
})
