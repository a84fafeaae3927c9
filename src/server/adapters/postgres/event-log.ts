import { SCHEMA } from './layout.ts'
import type { Ask } from './session.ts'

/** Changes of worlds and clocks, which all instances follow, are logged under this number. */
export const CONTROL_LOG = '0'

/** A stream resumes within this history. */
const MAX_ENTRIES = 50_000
const MAX_AGE = '24 hours'

/**
 * Runs last before COMMIT. Its lock is held until the commit is visible, so sequences grow in commit order within a
 * world. A missing sequence was rolled back or belongs to another world. Returns the last sequence.
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
 * A database that was restored from a backup would give numbers again that clients have seen. So the sequence is at
 * least at the microseconds of each start, which no rate of events outruns.
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

/** `oldest` is the oldest entry that is left, whatever the range; undefined when the world has none. */
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

/** The oldest entry stays: a client that has seen it has missed nothing. */
export async function trimLog(ask: Ask, world: string): Promise<void> {
  const ofWorld = `FROM ${SCHEMA}.events WHERE world = $1`
  await ask(
    `DELETE ${ofWorld} AND sequence < GREATEST(
      (SELECT sequence ${ofWorld} ORDER BY sequence DESC OFFSET ${MAX_ENTRIES} LIMIT 1),
      (SELECT max(sequence) ${ofWorld} AND at < now() - interval '${MAX_AGE}'))`,
    [world],
  )
}
