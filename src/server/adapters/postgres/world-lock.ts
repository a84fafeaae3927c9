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
 * Transactions of a world share a lock, and an exclusive one (`alone`) holds it for itself. A serializable transaction
 * sees the database as of its first statement, so the lock must be held before it: first by the session, then by the
 * transaction, which releases it when it ends. All in one message, so that a stopping process cannot keep it.
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
