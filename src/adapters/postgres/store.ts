import type pg from 'pg'
import { type Store, type Transaction, Unavailable, UniqueViolation, WorldEnded } from '../../ports.ts'
import { SCHEMA } from './layout.ts'
import { isUnreachable, type PostgresPool } from './pool.ts'
import { type Ask, deleteRecord, putRecord, readerOver, readersOver, translate } from './records.ts'
import { UniqueValues } from './unique-values.ts'
import { collectionOf, deepFreeze, type Stored, toTransaction } from '../record.ts'

/** Milliseconds within which a transaction that is alone in its world is tried again: others may still disturb it. */
const RETRY_WITHIN = 1000

/** The records of one world in the database; what is served was committed there. */
export function createPostgresStore(pool: PostgresPool, house: string): Store {
  /** When nothing is found the world may have ended, and then the answer would say nothing of the one there is now. */
  const ask: Ask = (text, values) =>
    pool.use(async (client) => {
      const result = await client.query(prepared(text, values))
      if (isNothing(result)) assertThere(await client.query(FIND_WORLD, [house]))
      return result
    })

  function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    // The connection is kept over the attempts: whoever lost does not wait behind those who came later.
    return pool.use(async (client) => {
      let mode: AttemptMode = { alone: false, exchanging: false }
      let until = Infinity
      for (;;) {
        try {
          return await attemptOnce(client, house, work, mode)
        } catch (error) {
          if (!isWorthAnotherTry(error, mode) || performance.now() > until) throw explain(error)
          if (!mode.alone) until = performance.now() + RETRY_WITHIN
          mode = { alone: true, exchanging: mode.exchanging || isTaken(error) }
        }
      }
    })
  }

  return {
    ...readersOver(house, ask),
    transaction,
    async ping() {
      // A standby answers reads and takes no writes.
      const { rows } = await ask('SHOW transaction_read_only', [])
      const [{ transaction_read_only: isReadOnly }] = rows as [{ transaction_read_only: string }]
      if (isReadOnly === 'on') throw new Unavailable('the database takes no writes')
      await ask(FIND_WORLD, [house])
    },
    close: async () => {},
  }
}

const FIND_WORLD = `SELECT 1 FROM ${SCHEMA}.worlds WHERE house = $1`

function assertThere(found: pg.QueryResult | undefined): void {
  if (found?.rowCount !== 1) throw new WorldEnded()
}

function isNothing({ rows }: pg.QueryResult): boolean {
  return rows.length === 0 || (rows[0] as { count?: string }).count === '0'
}

const names = new Map<string, string>()

/** Each connection plans a statement of one text once. There are few texts: values and pages are no part of them. */
function prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = names.get(text) ?? `vendor_cloud_${names.size}`
  names.set(text, name)
  return { name, text, values: [...values] }
}

interface AttemptMode {
  /** While no other transaction runs in the world, on any instance: the second attempt, which cannot conflict. */
  alone: boolean
  /** Lets records exchange unique values: costs a statement each, so only when one was found to be taken. */
  exchanging: boolean
}

async function attemptOnce<T>(
  client: pg.PoolClient,
  house: string,
  work: (tx: Transaction) => Promise<T>,
  { alone, exchanging }: AttemptMode,
): Promise<T> {
  let failure: unknown
  const ask: Ask = async (text, values) => {
    try {
      return await client.query(prepared(text, values))
    } catch (error) {
      // The database has given the transaction up, even if the work catches this.
      failure ??= error
      throw error
    }
  }
  try {
    await begin(client, house, alone)
    const unique = exchanging ? new UniqueValues(house, ask) : undefined
    const result = await work(writersOver(house, ask, unique))
    if (failure !== undefined) throw failure
    unique?.assertSettled()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A failed statement comes before what the work made of it.
    const reason = error instanceof UniqueViolation ? error : (failure ?? error)
    if (!isUnreachable(reason)) await client.query('ROLLBACK; SELECT pg_advisory_unlock_all()')
    throw reason
  }
}

/**
 * Transactions of a world share a lock, and one that is `alone` has it for itself. A serialisable transaction sees the
 * database as of its first statement, so the lock must be held before that: by the session first, then by the
 * transaction, which gives it back however it ends. One message, so that a process that stops cannot keep it.
 */
async function begin(client: pg.PoolClient, house: string, alone: boolean): Promise<void> {
  const shared = alone ? '' : '_shared'
  const world = Number(house)
  // Several statements in one text have several results, which the types do not know.
  const results: unknown = await client.query(`
    BEGIN; SELECT pg_advisory_lock${shared}(${world}); COMMIT;
    BEGIN ISOLATION LEVEL SERIALIZABLE;
    SELECT pg_advisory_xact_lock${shared}(${world}); SELECT pg_advisory_unlock${shared}(${world});
    SELECT 1 FROM ${SCHEMA}.worlds WHERE house = ${world}`)
  assertThere((results as pg.QueryResult[]).at(-1))
}

function writersOver(house: string, ask: Ask, unique: UniqueValues | undefined): Transaction {
  return toTransaction((name) => {
    const { schema, key: keyField } = collectionOf(name)
    const put = async (value: Stored) => {
      try {
        const record: Stored = deepFreeze(schema.parse(value))
        await unique?.take(name, record)
        await putRecord(name, house, record, ask)
        unique?.settle(name, String(record[keyField]))
      } catch (error) {
        throw translate(name, error)
      }
    }
    const remove = (key: string) => {
      unique?.settle(name, key)
      return deleteRecord(name, house, key, ask)
    }
    return { ...readerOver(name, house, ask), put, delete: remove }
  })
}

function isWorthAnotherTry(error: unknown, { alone, exchanging }: AttemptMode): boolean {
  return isConflict(error) || (isTaken(error) && !(alone && exchanging))
}

/** Another transaction has changed what this one has read, or each waits for the other. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(String((error as { code?: unknown }).code))
}

function isTaken(error: unknown): boolean {
  return error instanceof UniqueViolation || (error as { code?: unknown }).code === '23505'
}

function explain(error: unknown): unknown {
  if (error instanceof UniqueViolation) return error
  if (isTaken(error)) return new UniqueViolation('a unique value is taken', { cause: error })
  return isConflict(error) ? new Unavailable('too many transactions at once', { cause: error }) : error
}
