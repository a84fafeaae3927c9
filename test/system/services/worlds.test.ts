import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectIndependentFork } from '../../helpers/forks.ts'
import { CONTROL_KEY, type Installation, install, putSetting, send } from './installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

/** For each table that has a column for the number of a world, counts the rows. */
async function countRows(): Promise<Record<string, number>> {
  const client = new pg.Client(installation.postgres.url)
  await client.connect()
  try {
    const sql =
      "SELECT table_name FROM information_schema.columns WHERE table_schema = 'vendor_cloud' AND column_name = 'house'"
    const tables = (await client.query<{ table_name: string }>(sql)).rows.map((row) => row.table_name)
    const counts = await Promise.all(
      tables.map(async (table) => {
        const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM vendor_cloud.${table}`)
        return [table, Number(rows[0]!.count)] as const
      }),
    )
    return Object.fromEntries(counts)
  } finally {
    await client.end()
  }
}

test('a deleted or reset world leaves no rows in PostgreSQL', async () => {
  const { url } = await installation.startInstance()
  const before = await countRows()
  expect(before['tickets_records']).toBeGreaterThan(0)
  await send('POST', `${url}/_control/worlds`, { name: 'a' })
  await send('POST', `${url}/_control/worlds`, { name: 'fork', from: 'a' })
  await putSetting(`${url}/w/a`, 'mine')
  await putSetting(url, 'mine')
  expect((await countRows())['tickets_records']).toBeGreaterThan(before['tickets_records']!)
  for (const path of ['/w/a/_control/reset', '/w/fork/_control/reset', '/_control/reset'])
    await send('POST', url + path)
  for (const name of ['a', 'fork']) expect((await send('DELETE', `${url}/_control/worlds/${name}`)).status).toBe(204)
  await expect.poll(countRows).toEqual(before)
})

test('a world is gone if one instance deletes it while another instance resets it', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  for (let round = 0; round < 3; round++) {
    expect((await send('POST', `${a.url}/_control/worlds`, { name: 'short', from: 'default' })).status).toBe(200)
    const [deleted, reset] = await Promise.all([
      send('DELETE', `${a.url}/_control/worlds/short`),
      send('POST', `${b.url}/w/short/_control/reset`),
    ])
    expect([deleted.status, [200, 404].includes(reset.status)]).toEqual([204, true])
    const look = async () => (await send('GET', `${b.url}/w/short/_control/info`)).status
    await expect.poll(look, { timeout: 10_000 }).toBe(404)
  }
})

test('a fork on PostgreSQL is independent of its source, even after the source is deleted', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  await expectIndependentFork(a.url, b.url, { 'x-control-key': CONTROL_KEY })
})
