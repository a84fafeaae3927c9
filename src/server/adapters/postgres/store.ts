import type pg from 'pg'
import { TookTooLong, Unavailable, UniqueViolation, WorldEnded } from '../../ports/failures.ts'
import type { Store, Transaction } from '../../ports/store.ts'
import { GroupTransaction, MARK } from './group-transaction.ts'
import { SCHEMA } from './layout.ts'
import { isCancelled, isConflict, isOverburdened, isUnreachable } from './failures.ts'
import type { PostgresPool } from './pool.ts'
import { getRecords, readerOver } from './records.ts'
import type { Ask, Session } from './session.ts'
import type { CollectionName } from '../../../contract/records/collections.ts'
import { type Stored, type StoredReader, toView } from '../record.ts'
import { createBatches } from '../batches.ts'

/** Milliseconds within which a transaction is tried again that met another, or was cancelled. */
const RETRY_WITHIN = 5000
/** Transactions that share one of the database's: more would let those behind them wait too long. */
const LARGEST_GROUP = 20
/** Transactions of the database at a time in a world: more would meet each other and be slower. */
const LANES = 4

/** A transaction that waits to be committed. */
interface Pending {
  work: (tx: Transaction) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Lets records exchange unique values: costs a statement each, so only when one was found to be taken. */
  exchanging: boolean
  /** When it is not tried again, by `performance.now()`. */
  until: number
}

/** The records of one world in the database; what is served was committed there. */
export function createPostgresStore(pool: PostgresPool, world: string): Store {
  /** When nothing is found the world may have ended, and then the answer would say nothing of the one there is now. */
  const ask: Ask = (text, values) =>
    pool.use(async (session) => {
      const result = await session.ask(text, values)
      if (isNothing(result)) assertThere(await session.ask(FIND_WORLD, [world]))
      return result
    })
  return {
    ...toView((name) => ({ ...readerOver(name, world, ask), get: getTogether(name, world, ask) })),
    transaction: createTransactions(pool, world),
    async ping() {
      // A standby answers reads and takes no writes.
      const { rows } = await ask('SHOW transaction_read_only')
      const [{ transaction_read_only: isReadOnly }] = rows as [{ transaction_read_only: string }]
      if (isReadOnly === 'on') throw new Unavailable('the database takes no writes')
      await ask(FIND_WORLD, [world])
    },
    close: async () => {},
  }
}

/** Records by key: who asks at the same time shares a statement. */
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

/**
 * Transactions that come together run one after the other in one transaction of the database. A group that meets
 * another is tried again while no other runs in the world, on any instance; those that come meanwhile queue behind it,
 * since they would be as likely to meet another.
 */
function createTransactions(pool: PostgresPool, world: string): Store['transaction'] {
  /** Those that wait for being alone, and those that are. */
  let queued = 0
  const commitShared = createBatches<Pending>({ lanes: LANES, largest: LARGEST_GROUP }, async (group) => {
    if (queued === 0) await use(group, false)
    else group.forEach(queue)
  })
  const commitAlone = createBatches<Pending>({ lanes: 1, largest: LARGEST_GROUP }, async (group) => {
    try {
      await use(group, true)
    } finally {
      queued -= group.length
    }
  })

  function queue(pending: Pending): void {
    queued++
    commitAlone(pending)
  }

  async function use(group: readonly Pending[], alone: boolean): Promise<void> {
    try {
      await pool.use((session) => commit(session, group, alone))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function commit(session: Session, group: readonly Pending[], alone: boolean): Promise<void> {
    try {
      tryAlone(await attempt(session, group, alone))
    } catch (error) {
      if (isConflict(error) || isCancelled(error)) tryAlone(group)
      else if (concernsAll(error)) throw error
      else if (group.length === 1) group[0]!.reject(error)
      // One of them is to blame, and the others are not to suffer for it.
      else for (const pending of group) await commit(session, [pending], alone)
    }
  }

  function tryAlone(group: readonly Pending[]): void {
    const now = performance.now()
    for (const pending of group) {
      pending.until = Math.min(pending.until, now + RETRY_WITHIN)
      if (pending.until < now) pending.reject(new TookTooLong('too many transactions at once'))
      else queue(pending)
    }
  }

  /** Gives those that found a unique value taken: it may have been by one that is not committed. */
  async function attempt(session: Session, group: readonly Pending[], alone: boolean): Promise<Pending[]> {
    const settled: (() => void)[] = []
    const again: Pending[] = []
    try {
      await begin(session, world, alone)
      const transaction = new GroupTransaction(session, world)
      for (const pending of group) {
        const { work, exchanging, resolve, reject } = pending
        const outcome = await transaction.run(work, exchanging)
        if (outcome.status === 'fulfilled') settled.push(() => resolve(outcome.value))
        else if (!(outcome.reason instanceof UniqueViolation) || (alone && exchanging)) {
          settled.push(() => reject(outcome.reason))
        } else again.push({ ...pending, exchanging: true })
      }
      await session.send('COMMIT')
    } catch (error) {
      if (!isUnreachable(error)) await session.send('ROLLBACK; SELECT pg_advisory_unlock_all()')
      throw error
    }
    for (const settle of settled) settle()
    return again
  }

  return (work) =>
    new Promise((resolve: (value: never) => void, reject) => {
      const settle = resolve as (value: unknown) => void
      commitShared({ work, resolve: settle, reject, exchanging: false, until: Infinity })
    })
}

const FIND_WORLD = `SELECT 1 FROM ${SCHEMA}.worlds WHERE house = $1`

function assertThere(found: pg.QueryResult | undefined): void {
  if (found?.rowCount !== 1) throw new WorldEnded()
}

function isNothing({ rows }: pg.QueryResult): boolean {
  return rows.length === 0 || (rows[0] as { count?: string }).count === '0'
}

/**
 * Transactions of a world share a lock, and one that is `alone` has it for itself. A serialisable transaction sees the
 * database as of its first statement, so the lock must be held before that: by the session first, then by the
 * transaction, which gives it back however it ends. One message, so that a process that stops cannot keep it.
 */
async function begin(session: Session, world: string, alone: boolean): Promise<void> {
  const shared = alone ? '' : '_shared'
  const number = Number(world)
  // Several statements in one text have several results, which the types do not know.
  const results: unknown = await session.send(`
    BEGIN; SELECT pg_advisory_lock${shared}(${number}); COMMIT;
    BEGIN ISOLATION LEVEL SERIALIZABLE;
    SELECT pg_advisory_xact_lock${shared}(${number}); SELECT pg_advisory_unlock${shared}(${number});
    SELECT 1 FROM ${SCHEMA}.worlds WHERE house = ${number}; ${MARK}`)
  assertThere((results as pg.QueryResult[]).at(-2))
}

/** A failure after which any further statement would fail in the same way. */
function concernsAll(error: unknown): boolean {
  return error instanceof WorldEnded || isUnreachable(error) || isOverburdened(error)
}
