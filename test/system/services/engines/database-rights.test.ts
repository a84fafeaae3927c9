import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDatabase, openEngine, realClock } from '../../../../src/server/runtime.ts'
import { type PrivateServer, startPostgres } from '../servers.ts'

let postgres: PrivateServer
let admin: pg.Client

beforeAll(async () => {
  postgres = await startPostgres()
  admin = new pg.Client(postgres.url)
  await admin.connect()
  await admin.query('CREATE ROLE guest LOGIN')
  await admin.query('CREATE DATABASE "my data"')
})

afterAll(async () => {
  await admin.end()
  await postgres.remove()
})

const urlOf = (user: string, database: string) => `postgres://${user}@127.0.0.1:${postgres.port}/${database}`
const open = (url: string) => openEngine({ DATABASE_URL: url }, realClock)

test('doctor and the server show how to create a missing database', async () => {
  const url = urlOf('guest', 'nowhere')
  const fix = `createdb -h 127.0.0.1 -p ${postgres.port} 'nowhere'`
  const error = 'database "nowhere" does not exist'
  expect(await askDatabase(url)).toEqual({ error, fix })
  await expect(open(url)).rejects.toThrow(`cannot use the database: ${error}. To fix it: ${fix}`)
})

test('doctor and the server show how to grant the right to create the schema', async () => {
  const url = urlOf('guest', 'my%20data')
  const { error, fix } = await askDatabase(url)
  expect(error).toBe('permission denied for database my data')
  const grant = 'GRANT CREATE ON DATABASE "my data" TO "guest"'
  expect(fix).toBe(`psql -h 127.0.0.1 -p ${postgres.port} -c '${grant}' 'my data'`)
  await expect(open(url)).rejects.toThrow(`cannot use the database: ${error}. To fix it: ${fix}`)
  await admin.query(grant)
  expect(await askDatabase(url)).toEqual({ says: expect.stringContaining('connected to PostgreSQL') })
  await (await open(url))!.close()
})

test('doctor reports tables that the user cannot write or that another version created', async () => {
  await (await open(postgres.url))!.close()
  const url = urlOf('guest', 'postgres')
  const fix =
    'set the user of DATABASE_URL to the owner of the schema vendor_cloud. ' +
    'If the schema is empty, this user also needs the right CREATE on the database'
  expect(await askDatabase(url)).toEqual({ error: 'permission denied for schema vendor_cloud', fix })
  await admin.query('GRANT USAGE ON SCHEMA vendor_cloud TO guest')
  await admin.query('GRANT SELECT ON ALL TABLES IN SCHEMA vendor_cloud TO guest')
  expect(await askDatabase(url)).toEqual({ error: 'permission denied for the tables of schema vendor_cloud', fix })
  await admin.query("UPDATE vendor_cloud.about SET value = 'older'")
  expect(await askDatabase(postgres.url)).toEqual({
    error: expect.stringContaining('belongs to another version of vendor-cloud'),
  })
})

test('doctor and the server report a schema whose restore was interrupted', async () => {
  await admin.query('CREATE DATABASE restored')
  const url = urlOf('test', 'restored')
  await (await open(url))!.close()
  const restored = new pg.Client(url)
  await restored.connect()
  await restored.query('ALTER TABLE vendor_cloud.claims DROP CONSTRAINT claims_instance_fkey')
  await restored.end()
  const error = expect.stringMatching(/ is incomplete, for example because a restore was interrupted\. Restore the /)
  expect(await askDatabase(url)).toEqual({ error })
  await expect(open(url)).rejects.toThrow(/^the schema vendor_cloud of the database is incomplete/)
})

test('doctor names the limit to increase when the database accepts no more connections', async () => {
  await admin.query('ALTER ROLE guest CONNECTION LIMIT 0')
  expect(await askDatabase(urlOf('guest', 'postgres'))).toEqual({
    error: expect.stringContaining('too many connections'),
    fix: 'increase the connection limit, such as max_connections. Each instance uses up to 15 connections',
  })
})
