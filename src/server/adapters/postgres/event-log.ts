import { SCHEMA } from './layout.ts'
import type { Ask } from './session.ts'

/** World number in the log entries about changes to worlds and clocks. All instances read these entries. */
export const CONTROL_LOG = '0'

/** Maximum number and age of the entries. A stream can resume only within this history. */
const MAX_ENTRIES = 50_000
const MAX_AGE = '24 hours'

/**
 * Appends entries to the log of a world and returns the last sequence number. This must be the last statement before
 * COMMIT. The lock is held until the commit is visible, so that the sequence numbers of a world increase in commit
 * order. If a number is missing, it was rolled back or belongs to another world.
 */
export async function appendToLog(ask: Ask, world: string, payloads: readonly unknown[]): Promise<number> {
  const text = `INSERT INTO ${SCHEMA}.events (world, sequence, payload)
    SELECT $1, nextval('${SCHEMA}.event_sequence'), payload
    FROM (SELECT pg_advisory_xact_lock(hashtext('${SCHEMA}.events'), hashint8($1))) AS held,
      unnest($2::text[]) AS payload
    RETURNING sequence`
  const { rows } = await ask(text, [world, payloads.map((payload) => JSON.stringify(payload))])
  return Math.max(...(rows as { sequence: string }[]).map(({ sequence }) => Number(sequence)))
}

/**
 * A database that was restored from a backup would issue numbers that clients have already seen. To prevent this, the
 * sequence is advanced to the current time in microseconds at each server start. Events are never frequent enough to
 * overtake the time.
 */
export async function advanceSequence(ask: Ask, least: number): Promise<void> {
  await ask(`SELECT pg_advisory_xact_lock(hashtext('${SCHEMA}.event_sequence'))`)
  const sequence = `${SCHEMA}.event_sequence`
  await ask(`SELECT setval('${sequence}', $1) FROM ${sequence} WHERE last_value < $1`, [least])
}

export async function readLogHead(ask: Ask, world: string): Promise<number> {
  const { rows } = await ask(`SELECT max(sequence) AS head FROM ${SCHEMA}.events WHERE world = $1`, [world])
  return Number((rows[0] as { head: string | null }).head ?? 0)
}

export interface LogEntry {
  sequence: number
  payload: string
}

/**
 * `oldest` is the sequence number of the world's oldest entry, even if that entry is not in the requested range. It is
 * undefined if the world has no entries.
 */
export async function readHistory(
  ask: Ask,
  world: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ oldest: number | undefined; entries: LogEntry[] }> {
  const text = `SELECT oldest, sequence, payload
    FROM (SELECT min(sequence) AS oldest FROM ${SCHEMA}.events WHERE world = $1) AS log
    LEFT JOIN ${SCHEMA}.events ON world = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence`
  const { rows } = await ask(text, [world, after, upTo])
  const found = rows as { oldest: string | null; sequence: string | null; payload: string }[]
  const [{ oldest = null } = {}] = found
  return {
    oldest: oldest === null ? undefined : Number(oldest),
    entries: found.flatMap(({ sequence, payload }) =>
      sequence === null ? [] : [{ sequence: Number(sequence), payload }],
    ),
  }
}

/**
 * Deletes entries that exceed the limits, except the newest of these. A client that has received this entry can still
 * resume without missing any event.
 */
export async function trimLog(ask: Ask, world: string): Promise<void> {
  const ofWorld = `FROM ${SCHEMA}.events WHERE world = $1`
  await ask(
    `DELETE ${ofWorld} AND sequence < GREATEST(
      (SELECT sequence ${ofWorld} ORDER BY sequence DESC OFFSET ${MAX_ENTRIES} LIMIT 1),
      (SELECT max(sequence) ${ofWorld} AND at < now() - interval '${MAX_AGE}'))`,
    [world],
  )
}
