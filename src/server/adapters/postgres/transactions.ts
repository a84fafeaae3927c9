import { TookTooLong, UniqueViolation, WorldEnded } from '#server/ports/failures.ts'
import type { Message } from '#server/ports/bus.ts'
import type { Store, Transaction } from '#server/ports/store.ts'
import { GroupTransaction } from './group-transaction.ts'
import { isCancelled, isConflict, isOverburdened, isUnreachable } from './failures.ts'
import type { PostgresPool } from './pool.ts'
import type { Session } from './session.ts'
import { createBatches } from '../batches.ts'
import { PendingOutbox } from '../record.ts'
import { appendToLog } from './event-log.ts'
import { begin } from './world-lock.ts'

/** Milliseconds during which a conflicting or cancelled transaction is retried. */
const RETRY_WITHIN = 5000
/** Maximum number of transactions in a group. A larger group would delay the next groups too long. */
const LARGEST_GROUP = 20
/** Number of concurrent database transactions. More transactions would conflict and be slower. */
export const LANES = 4

interface Pending {
  work: (tx: Transaction) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** A `performance.now()` timestamp after which the transaction is not retried. */
  until: number
}

/** Groups share one database transaction. After a conflict, a group is repeated alone, and later ones wait for it. */
export function createTransactions(pool: PostgresPool, world: string, announce: () => void): Store['transaction'] {
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
      // One transaction of the group caused the error. To find it, each transaction is repeated separately.
      else for (const pending of group) await commit(session, [pending], alone)
    }
  }

  function tryAlone(group: readonly Pending[]): void {
    const now = performance.now()
    for (const pending of group) {
      pending.until = Math.min(pending.until, now + RETRY_WITHIN)
      if (pending.until < now) pending.reject(new TookTooLong('too many concurrent transactions'))
      else queue(pending)
    }
  }

  /** Returns the transactions to repeat, because a value in use may belong to a change that is never committed. */
  async function attempt(session: Session, group: readonly Pending[], alone: boolean): Promise<Pending[]> {
    const settled: (() => void)[] = []
    const messages: Message[] = []
    const again: Pending[] = []
    try {
      await begin(session, world, alone)
      const transaction = new GroupTransaction(session, world)
      for (const pending of group) {
        const { work, resolve, reject } = pending
        const outbox = new PendingOutbox()
        const outcome = await transaction.run(work, outbox)
        if (outcome.status === 'fulfilled') {
          messages.push(...outbox.messages)
          settled.push(...outbox.hooks, () => resolve(outcome.value))
        } else if (alone || !(outcome.reason instanceof UniqueViolation)) {
          settled.push(() => reject(outcome.reason))
        } else again.push(pending)
      }
      if (messages.length > 0) await appendToLog(session.ask, world, messages)
      await session.commit()
    } catch (error) {
      if (!isUnreachable(error)) await session.send('ROLLBACK; SELECT pg_advisory_unlock_all()')
      throw error
    }
    for (const settle of settled) settle()
    if (messages.length > 0) announce()
    return again
  }

  return (work) =>
    new Promise((resolve: (value: never) => void, reject) => {
      const settle = resolve as (value: unknown) => void
      commitShared({ work, resolve: settle, reject, until: Infinity })
    })
}

function concernsAll(error: unknown): boolean {
  return error instanceof WorldEnded || isUnreachable(error) || isOverburdened(error)
}
