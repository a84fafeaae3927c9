import { SCHEMA } from './layout.ts'
import type { Ask } from './session.ts'

/** World number in the log entries about changes to worlds and clocks. All instances read these entries. */
export const CONTROL_LOG = '0'

/** Maximum number and age of the entries. A stream can resume only within this history. */
const MAX_ENTRIES = 50_000
const MAX_AGE = '24 hours'

/** Must be the last statement before COMMIT, because its lock makes sequence numbers increase in commit order. */
export async function appendToLog(ask: Ask, world: string, payloads: readonly unknown[]): Promise<number> {
  const text = `INSERT INTO ${SCHEMA}.events (world, sequence, payload)
    SELECT $1, nextval('${SCHEMA}.event_sequence'), payload
    FROM (SELECT pg_advisory_xact_lock(hashtext('${SCHEMA}.events'), hashint8($1))) AS held,
      unnest($2::text[]) AS payload
    RETURNING sequence`
  const { rows } = await ask(text, [world, payloads.map((payload) => JSON.stringify(payload))])
  return Math.max(...(rows as { sequence: string }[]).map(({ sequence }) => Number(sequence)))
}

/** A restored backup would reuse numbers, so the sequence starts at the current time in microseconds. */
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

/** `oldest` covers all entries of the world, not only the range. It is undefined if there are none. */
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

/** Keeps the newest entry beyond the limits, so that a client that received it can still resume. */
export async function trimLog(ask: Ask, world: string): Promise<void> {
  const ofWorld = `FROM ${SCHEMA}.events WHERE world = $1`
  await ask(
    `DELETE ${ofWorld} AND sequence < GREATEST(
      (SELECT sequence ${ofWorld} ORDER BY sequence DESC OFFSET ${MAX_ENTRIES} LIMIT 1),
      (SELECT max(sequence) ${ofWorld} AND at < now() - interval '${MAX_AGE}'))`,
    [world],
  )
}
