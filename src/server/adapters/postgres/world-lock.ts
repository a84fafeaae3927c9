import type pg from 'pg'
import { WorldEnded } from '#server/ports/failures.ts'
import { MARK } from './group-transaction.ts'
import { SCHEMA } from './layout.ts'
import type { Session } from './session.ts'

/** A world without a row has ended, whatever a statement on its records says. */
export function assertThere(found: pg.QueryResult | undefined): void {
  if (found?.rowCount !== 1) throw new WorldEnded()
}

/**
 * Transactions of a world share a lock, and one that is `alone` has it for itself. A serialisable transaction sees the
 * database as of its first statement, so the lock must be held before that: by the session first, then by the
 * transaction, which gives it back however it ends. One message, so that a process that stops cannot keep it.
 */
export async function begin(session: Session, world: string, alone: boolean): Promise<void> {
  const shared = alone ? '' : '_shared'
  const number = Number(world)
  // One text with several statements gives several results, which the types do not know.
  const results: unknown = await session.send(`
    BEGIN; SELECT pg_advisory_lock${shared}(${number}); COMMIT;
    BEGIN ISOLATION LEVEL SERIALIZABLE;
    SELECT pg_advisory_xact_lock${shared}(${number}); SELECT pg_advisory_unlock${shared}(${number});
    SELECT 1 FROM ${SCHEMA}.worlds WHERE house = ${number}; ${MARK}`)
  assertThere((results as pg.QueryResult[]).at(-2))
}
