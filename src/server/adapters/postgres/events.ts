import type { PlatformEvent } from '../../ports/bus.ts'
import { WorldEnded } from '../../ports/failures.ts'
import { type EventHistory, HISTORY_SLICE } from '../event-history.ts'
import { SCHEMA } from './layout.ts'
import type { PostgresPool } from './pool.ts'

/** Only an instance that shares the database with no other keeps events here. */
export function createPostgresEvents(pool: PostgresPool, world: string): EventHistory {
  const table = `${SCHEMA}.events`
  return {
    async readAfter(sequence) {
      const text = `SELECT sequence, body FROM ${table} WHERE house = $1 AND sequence > $2
        ORDER BY sequence LIMIT ${HISTORY_SLICE}`
      const { rows } = await pool.ask(text, [world, sequence])
      return (rows as { sequence: string; body: string }[]).map(({ sequence, body }) => ({
        sequence: Number(sequence),
        event: JSON.parse(body) as PlatformEvent | null,
      }))
    },
    async append(events, forget) {
      // A sequence whose event was refused may be given again, since nobody knows whether it was kept.
      const text = `INSERT INTO ${table} (house, sequence, body)
        SELECT $1::bigint, sequence, body FROM unnest($2::bigint[], $3::text[]) AS fresh (sequence, body)
        WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.worlds WHERE house = $1::bigint)
        ON CONFLICT (house, sequence) DO UPDATE SET body = excluded.body`
      const sequences = events.map(({ sequence }) => sequence)
      const bodies = events.map(({ event }) => JSON.stringify(event))
      const { rowCount } = await pool.ask(text, [world, sequences, bodies])
      if (rowCount !== events.length) throw new WorldEnded()
      if (forget === undefined) return
      await pool.ask(`DELETE FROM ${table} WHERE house = $1 AND sequence <= $2`, [world, forget])
    },
  }
}
