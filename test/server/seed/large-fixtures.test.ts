import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CollectionName, collections } from '../../../src/contract/records/collections.ts'
import type { Ticket } from '../../../src/contract/records/dealer/ticket.ts'
import { nodeDigests } from '../../../src/server/adapters/node/digests.ts'
import { readConfig } from '../../../src/server/config.ts'
import { UnusableState } from '../../../src/server/ports/failures.ts'
import { type Fixture, openFixtures, readFixtures } from '../../../src/server/seed/fixtures.ts'
import { enlargeFixtures } from '../../../src/server/seed/large-fixtures.ts'
import type { OwnFixturesContext } from '../../../src/server/seed/own-fixtures.ts'
import { openNamedFixtures } from '../../../src/server/seed/own-fixtures.ts'
import { findDangling } from '../../../src/server/seed/references.ts'
import { startServer } from '../../../src/server/server.ts'

const folder = join(import.meta.dirname, '../../../fixtures')
const now = Date.parse('2026-03-09T12:00:00Z')
const builtIn = await readFixtures(folder)
const context = { builtIn, digests: nodeDigests } as unknown as OwnFixturesContext

function list(name: CollectionName, fixtures = enlargeFixtures(builtIn, 'large', nodeDigests.sha256)): Fixture[] {
  return [...openFixtures(fixtures)(now).get(name)!()]
}

test('the large fixtures have 20,000 customers and 100,000 tickets, all unique and valid', () => {
  const all = new Map<CollectionName, Fixture[]>()
  for (const name of builtIn.names) all.set(name, list(name))
  expect([all.get('customers')!.length, all.get('tickets')!.length]).toEqual([20_000, 100_000])
  const keysOf = (name: CollectionName) => new Set(all.get(name)?.map((each) => each[collections[name].key]))
  const keys = new Map([...all.keys()].map((name) => [name, keysOf(name)]))
  for (const name of ['customers', 'registeredProducts', 'productUnits', 'tickets'] as const) {
    const records = all.get(name)!
    expect([name, keys.get(name)!.size]).toEqual([name, records.length])
    // Checks only a sample, which is large enough to find errors of each kind.
    for (const record of records.filter((_, i) => i % 37 === 0)) {
      expect(collections[name].schema.safeParse(record).error, JSON.stringify(record)).toBeUndefined()
      expect(findDangling(name, record, (each) => keys.get(each) ?? new Set())).toEqual([])
    }
  }
  const tickets = all.get('tickets') as unknown as Ticket[]
  const made = tickets.map(({ createdAt }) => createdAt.slice(0, 7)).sort()
  expect(new Set(made).size).toBeGreaterThanOrEqual(36)
  expect(new Set(tickets.map(({ ticketNumber }) => ticketNumber)).size).toBe(tickets.length)
  expect(tickets.every(({ createdAt, purchaseDate }) => createdAt.slice(0, 10) > purchaseDate!)).toBe(true)
})

test('no ticket in the large fixtures is more than three years old', () => {
  const tickets = list('tickets') as unknown as Ticket[]
  const [earliest] = tickets.map(({ createdAt }) => createdAt).sort()
  expect(earliest! >= '2023-03-09T12:00:00Z', earliest).toBe(true)
  expect(earliest! < '2023-04-09T12:00:00Z', earliest).toBe(true)
  expect(tickets.some(({ status, createdAt }) => status === 'E0003' && createdAt > '2026-02-09')).toBe(true)
  const several = tickets.filter(({ problemDescription = '' }) => problemDescription.includes('\n')).length
  expect(several).toBeGreaterThan(5000)
  expect(several).toBeLessThan(30_000)
})

test('the large fixtures are the same at every start, and another seed gives other customers', async () => {
  const people = async (seed?: string) => list('customers', await openNamedFixtures('large', { ...context, seed }))
  const [one, again, other] = await Promise.all(['one', 'one', 'other'].map(people))
  expect(again).toEqual(one)
  // A case contains the name of its fixtures. This name must be enough to replay it, without the seed of the fixtures.
  const { name } = await openNamedFixtures('large', { ...context, seed: 'one' })
  expect(list('customers', await openNamedFixtures(name!, context))).toEqual(one)
  const made = one!.slice(builtIn.read('customers').records.length)
  const namesOf = (customers: Fixture[]) =>
    customers.map(({ bpNo, firstName, lastName }) => [bpNo, firstName, lastName])
  const known = new Set(namesOf(other!).map(String))
  expect(namesOf(made).filter((each) => known.has(String(each))).length).toBeLessThan(made.length / 20)
})

test('fixtures are selected by name, and an unknown name is rejected with the known names', async () => {
  const named = await openNamedFixtures('large', context)
  expect(named.further).toBeDefined()
  expect(await openNamedFixtures('default', context)).toBe(builtIn)
  const refusal = await openNamedFixtures('lage', context).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UnusableState)
  const says = 'FIXTURES=lage: must be default, large or a directory such as ./lage (did you mean large?)'
  expect((refusal as Error).message).toBe(says)
  await expect(openNamedFixtures('fixtures', context)).rejects.toThrow(/ such as \.\/fixtures$/)
})

test('creating the first records of the large fixtures reads only a few built-in fixtures', async () => {
  const small = await readFixtures(folder)
  const { further } = enlargeFixtures(small, 'large', nodeDigests.sha256)
  const [first] = further!('tickets', now)
  expect(first).toMatchObject({ status: 'E0003' })
  const resolved = builtIn.names.flatMap((name) => small.read(name).dates.filter(() => true))
  expect(resolved.length).toBeGreaterThan(0)
  expect(resolved.length).toBeLessThan(10)
})

test('the console, probes and other worlds respond while the clock of a large world advances', async () => {
  const server = await startServer(readConfig({ PORT: '0', FIXTURES: 'large' }), { listen: false })
  onTestFinished(() => server.close())
  const completed: string[] = []
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const { status } = await server.fetch(new Request(`http://localhost${path}`, init))
    completed.push(`${status} ${path}`)
  }
  await send('POST', '/_control/worlds', { name: 'other' })
  await send('PUT', '/_control/profile', { profile: 'x', choices: { 'ticket-progress': 'auto' } })
  completed.length = 0
  const waiting = [send('POST', '/_control/clock/advance', { duration: 'P1D' }), send('GET', '/_control/status')]
  const others = ['/health/live', '/_console', '/w/other/_control/clock']
  await Promise.all([...waiting, ...others.map((path) => send('GET', path))])
  expect(completed.slice(0, 3).toSorted()).toEqual(others.map((path) => `200 ${path}`).toSorted())
  expect(completed.slice(3).toSorted()).toEqual(['200 /_control/clock/advance', '200 /_control/status'])
})
