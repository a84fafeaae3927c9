import type pg from 'pg'
import { Unavailable } from '#server/ports/failures.ts'
import type { Store } from '#server/ports/store.ts'
import { SCHEMA } from './layout.ts'
import type { PostgresPool } from './pool.ts'
import { getRecords, readerOver } from './records.ts'
import type { Ask } from './session.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import { type Stored, type StoredReader, toView } from '../record.ts'
import { createBatches } from '../batches.ts'
import { LANES, createTransactions } from './transactions.ts'
import { assertThere } from './world-lock.ts'

/** `announce` is called after each commit that appends to the world's log. */
export function createPostgresStore(pool: PostgresPool, world: string, announce: () => void): Store {
  /** An empty result may mean that the world was deleted, so the world is checked. */
  const ask: Ask = (text, values) =>
    pool.use(async (session) => {
      const result = await session.ask(text, values)
      if (isNothing(result)) assertThere(await session.ask(FIND_WORLD, [world]))
      return result
    })
  return {
    ...toView((name) => ({ ...readerOver(name, world, ask), get: getTogether(name, world, ask) })),
    transaction: createTransactions(pool, world, announce),
    async ping() {
      // A standby server responds to reads but rejects writes.
      const { rows } = await ask('SHOW transaction_read_only')
      const [{ transaction_read_only: isReadOnly }] = rows as [{ transaction_read_only: string }]
      if (isReadOnly === 'on') throw new Unavailable('the database is read-only')
      await ask(FIND_WORLD, [world])
    },
    close: async () => {},
  }
}

function getTogether(name: CollectionName, world: string, ask: Ask): StoredReader['get'] {
  type Wanted = { key: string; resolve: (record: Stored | undefined) => void; reject: (error: unknown) => void }
  const get = createBatches<Wanted>({ lanes: LANES, largest: 100 }, async (batch) => {
    try {
      const keys = batch.map(({ key }) => key)
      const records = await getRecords(name, world, keys, ask)
      for (const { key, resolve } of batch) resolve(records.get(key))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  })
  return (key) => new Promise((resolve, reject) => get({ key, resolve, reject }))
}

const FIND_WORLD = `SELECT 1 FROM ${SCHEMA}.worlds WHERE house = $1`

function isNothing({ rows }: pg.QueryResult): boolean {
  return rows.length === 0 || (rows[0] as { count?: string }).count === '0'
}
