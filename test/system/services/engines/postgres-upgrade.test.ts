import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPostgresEngine } from '../../../../src/server/adapters/postgres/engine.ts'
import { systemClock } from '../../../../src/server/adapters/node/clock.ts'
import { newTicket } from '../../../helpers/records.ts'
import { type PrivateServer, startPostgres } from '../servers.ts'

let postgres: PrivateServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

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

/** A database with one ticket, as a server of records of version 1 left it. */
async function leaveOlder(): Promise<void> {
  await query('DROP SCHEMA IF EXISTS vendor_cloud CASCADE')
  const engine = await openEngine()
  const clock = { now: '2030-01-01T00:00:00.000Z', frozen: true, offsetMs: 5 } as unknown as { offsetMs: number }
  const record = { plan: { name: 'default' }, seed: undefined, createdAt: 0, clock }
  const { store } = (await engine.create(record, { records: new Map(), blobs: [] }))!
  await store.transaction((tx) => tx.tickets.put(newTicket({ companyId: 'C100' })))
  await engine.close()
  await query("UPDATE vendor_cloud.about SET value = '1' WHERE name = 'schemaVersion'")
}

async function expectUpToDate(): Promise<void> {
  const engine = await openEngine()
  onTestFinished(() => engine.close())
  expect(await engine.list()).toMatchObject([{ clock: { frozenAt: '2030-01-01T00:00:00.000Z' } }])
  const { store } = await engine.open('default')
  expect(await store.tickets.find({ where: { companyId: 'C100' } })).toEqual([newTicket({ companyId: 'C100' })])
}

test('records of an older version are brought up to date, and stay so', async () => {
  await leaveOlder()
  await expectUpToDate()
  await expectUpToDate()
})

test('of several newer servers that start at once each finds it brought up to date', async () => {
  await leaveOlder()
  await Promise.all([expectUpToDate(), expectUpToDate(), expectUpToDate()])
})

test('an upgrade that cannot be done leaves everything as it was, and says why', async () => {
  await leaveOlder()
  await query("UPDATE vendor_cloud.tickets_records SET body = '{}'")
  const before = await query('SELECT * FROM vendor_cloud.about ORDER BY name')
  await expect(openEngine()).rejects.toThrow(/a record of tickets cannot be brought up to date/)
  expect(await query('SELECT * FROM vendor_cloud.about ORDER BY name')).toEqual(before)
  expect(await query('SELECT body FROM vendor_cloud.tickets_records')).toEqual([{ body: '{}' }])
})

test('fields that a newer server looks up by are there for older records', async () => {
  await leaveOlder()
  await query('ALTER TABLE vendor_cloud.tickets_records DROP COLUMN "is_companyId"')
  await query("UPDATE vendor_cloud.about SET value = 'of an older server' WHERE name = 'layout'")
  await expectUpToDate()
})

test('a database of a newer server is refused', async () => {
  await leaveOlder()
  await query("UPDATE vendor_cloud.about SET value = '999' WHERE name = 'schemaVersion'")
  await expect(openEngine()).rejects.toThrow(/records of version 999, which a newer server wrote/)
})
