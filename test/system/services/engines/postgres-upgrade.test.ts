import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createPostgresEngine } from '../../../../src/server/adapters/postgres/engine.ts'
import { systemClock } from '../../../../src/server/adapters/node/clock.ts'
import { newTicket } from '../../../helpers/records.ts'
import { type PrivateServer, startPostgres } from '../servers.ts'

let postgres: PrivateServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())
beforeEach(() => query('DROP SCHEMA IF EXISTS vendor_cloud CASCADE'))

const openEngine = () => createPostgresEngine(postgres.url, systemClock)

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client(postgres.url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('several instances can start on an empty database at the same time', async () => {
  const engines = await Promise.all(Array.from({ length: 4 }, openEngine))
  onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.close()))))
  const record = { plan: { name: 'default' }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const { store } = (await engines[0]!.create(record, { records: new Map(), blobs: [] }))!
  await store.transaction((tx) => tx.tickets.put(newTicket({ companyId: 'C100' })))
  for (const engine of engines) {
    const { store } = await engine.open('default')
    expect(await store.tickets.find({ where: { companyId: 'C100' } })).toEqual([newTicket({ companyId: 'C100' })])
  }
})

test.each([
  ['an older or newer version', "UPDATE vendor_cloud.about SET value = 'another' WHERE name = 'version'"],
  ['an earlier schema format', "UPDATE vendor_cloud.about SET name = 'schemaVersion', value = '2'"],
])('a database of %s is rejected and not changed', async (_, change) => {
  await (await openEngine()).close()
  await query(change)
  const before = await query('SELECT * FROM vendor_cloud.about')
  await expect(openEngine()).rejects.toThrow(/belongs to another version of vendor-cloud. Use that version/)
  expect(await query('SELECT * FROM vendor_cloud.about')).toEqual(before)
})
