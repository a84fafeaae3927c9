import type pg from 'pg'
import { WorldEnded } from '#server/ports/failures.ts'
import { MARK } from './group-transaction.ts'
import { SCHEMA } from './layout.ts'
import type { Session } from './session.ts'

/** If the row of a world is missing, the world was deleted, even if its records can still be read. */
export function assertThere(found: pg.QueryResult | undefined): void {
  if (found?.rowCount !== 1) throw new WorldEnded()
}

/**
 * The lock must precede the first statement, which fixes what a serializable transaction sees, so the session acquires
 * it first. One message holds all statements, so that a stopping process cannot keep the lock.
 */
export async function begin(session: Session, world: string, alone: boolean): Promise<void> {
  const shared = alone ? '' : '_shared'
  const number = Number(world)
  // A text with several statements returns several results, which the type of `send` does not include.
  const results: unknown = await session.send(`
    BEGIN; SELECT pg_advisory_lock${shared}(${number}); COMMIT;
    BEGIN ISOLATION LEVEL SERIALIZABLE;
    SELECT pg_advisory_xact_lock${shared}(${number}); SELECT pg_advisory_unlock${shared}(${number});
    SELECT 1 FROM ${SCHEMA}.worlds WHERE house = ${number}; ${MARK}`)
  assertThere((results as pg.QueryResult[]).at(-2))
}
