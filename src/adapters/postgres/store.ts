import type pg from 'pg'
import { type Store, type Transaction, Unavailable, UniqueViolation } from '../../ports.ts'
import { SCHEMA } from './layout.ts'
import { isUnreachable, type PostgresPool } from './pool.ts'
import { type Ask, deleteRecord, putRecord, readerOver, readersOver, translate } from './records.ts'
import { UniqueValues } from './unique-values.ts'
import { collectionOf, deepFreeze, type Stored, toTransaction } from '../record.ts'

/** Unrelated transactions may fail each other, and more often the more of them there are. */
const TRIES = 8
/** A unique value that is taken may have been taken since the transaction looked: then it would have seen it. */
const UNIQUE_TRIES = 3

/** The records of one world in the database; what is served was committed there. */
export function createPostgresStore(pool: PostgresPool, house: string): Store {
  /** Nothing found may mean that another instance has ended the world, and that it says nothing of the one there is. */
  const ask: Ask = (text, values) =>
    pool.use(async (client) => {
      const result = await client.query(text, [...values])
      if (isNothing(result)) assertThere(await client.query(FIND_WORLD, [house]))
      return result
    })

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let exchanging = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await pool.use((client) => attemptOnce(client, house, work, { exchanging }))
      } catch (error) {
        if (!isWorthAnotherTry(error, attempt)) throw explain(error)
        exchanging ||= isTaken(error)
        await pause(attempt)
      }
    }
  }

  return {
    ...readersOver(house, ask),
    transaction,
    async ping() {
      // One that has become the second answers as before, and takes nothing.
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
  if (found?.rowCount !== 1) throw new Unavailable('this world has ended')
}

function isNothing({ rows }: pg.QueryResult): boolean {
  return rows.length === 0 || (rows[0] as { count?: string }).count === '0'
}

/** `exchanging` unique values costs a statement each, so that comes when an attempt without it has found one taken. */
async function attemptOnce<T>(
  client: pg.PoolClient,
  house: string,
  work: (tx: Transaction) => Promise<T>,
  { exchanging }: { exchanging: boolean },
): Promise<T> {
  let failure: unknown
  const ask: Ask = async (text, values) => {
    try {
      return await client.query(text, [...values])
    } catch (error) {
      // Whatever becomes of it in the work: the database has given the transaction up.
      failure ??= error
      throw error
    }
  }
  try {
    await begin(client, house)
    const unique = exchanging ? new UniqueValues(house, ask) : undefined
    const result = await work(writersOver(house, ask, unique))
    if (failure !== undefined) throw failure
    unique?.assertSettled()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A rule that was broken on ground that does not hold is no answer.
    const reason = error instanceof UniqueViolation ? error : (failure ?? error)
    if (!isUnreachable(reason)) await client.query('ROLLBACK').catch(() => {})
    throw reason
  }
}

/** The world must be there still: another instance may have ended it. In one message, for it happens every time. */
async function begin(client: pg.PoolClient, house: string): Promise<void> {
  const text = `BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT 1 FROM ${SCHEMA}.worlds WHERE house = ${Number(house)}`
  const results = (await client.query(text)) as unknown as pg.QueryResult[]
  assertThere(results.at(-1))
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

function isWorthAnotherTry(error: unknown, attempt: number): boolean {
  const { code } = error as { code?: unknown }
  if (code === '40001' || code === '40P01') return attempt < TRIES
  return isTaken(error) && attempt < UNIQUE_TRIES
}

function isTaken(error: unknown): boolean {
  return error instanceof UniqueViolation || (error as { code?: unknown }).code === '23505'
}

function explain(error: unknown): unknown {
  if (error instanceof UniqueViolation) return error
  if (isTaken(error)) return new UniqueViolation('a unique value is taken', { cause: error })
  const { code } = error as { code?: unknown }
  if (code !== '40001' && code !== '40P01') return error
  return new Unavailable('too many transactions at once', { cause: error })
}

/** Longer from try to try, and for nobody the same, so that those who met don't meet again. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 4 * 2 ** attempt))
}
