import { UnusableState } from '#server/ports/failures.ts'
import { SNAPSHOT_VERSION } from '#contract/records/snapshot.ts'
import { codeOf } from './failures.ts'
import { constraintCount, layout, layoutDigest, SCHEMA } from './layout.ts'
import type { Ask, Session } from './session.ts'

const VERSION = `${layoutDigest} ${SNAPSHOT_VERSION}`

/** Throws if the tables belong to another version or are incomplete. */
export async function prepareSchema({ send }: Session): Promise<void> {
  if (await hasTables(send)) return
  for (const statement of layout) await makeOnce(send, statement)
  const text = `INSERT INTO ${SCHEMA}.about (name, value) VALUES ('version', $1) ON CONFLICT DO NOTHING`
  await send(text, [VERSION])
  await hasTables(send)
}

const FOUND = `SELECT value AS version, (SELECT count(*)::int FROM pg_constraint
    WHERE connamespace = '${SCHEMA}'::regnamespace AND contype IN ('p', 'u', 'f')) AS constraints
  FROM ${SCHEMA}.about ORDER BY name DESC LIMIT 1`

/** Throws if the tables belong to another version or are incomplete. Does not change the database. */
export async function hasTables(send: Ask): Promise<boolean> {
  try {
    const [found] = (await send(FOUND)).rows as { version: string; constraints: number }[]
    if (!found) return false
    if (found.version === VERSION && found.constraints < constraintCount) throw new UnusableState(INCOMPLETE)
    if (found.version === VERSION) return true
  } catch (error) {
    // SQLSTATE codes for a schema or table that does not exist.
    if (['42P01', '3F000'].includes(codeOf(error))) return false
    throw error
  }
  const way = 'Use that version, or set DATABASE_URL to an empty database'
  throw new UnusableState(`the schema ${SCHEMA} of the database belongs to another version of vendor-cloud. ${way}`)
}

const INCOMPLETE =
  `the schema ${SCHEMA} of the database is incomplete, for example because a restore was interrupted. ` +
  'Restore the backup into an empty database'

/** SQLSTATE codes that PostgreSQL reports if another instance creates the same tables at the same time. */
const RACES = new Set(['23505', '42P06', '42P07', '42710', '42701', '40001', '40P01', 'XX000'])

async function makeOnce(send: Ask, statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await send(statement)
      return
    } catch (error) {
      if (!RACES.has(codeOf(error)) || tries === 10) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * tries))
    }
  }
}
