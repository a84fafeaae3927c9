import pg from 'pg'
import { LEASE_SECONDS } from './claims.ts'
import { SCHEMA } from './layout.ts'
import { ENTRIES_PER_READ, type LinkEvents, type LinkSession } from './link.ts'
import { Session } from './session.ts'
import { createSerialQueue } from '../serial-queue.ts'

const ANSWER_WITHIN = 1000
const CHANNEL = SCHEMA
/** A notification has at most 8,000 bytes. For more worlds, it lists none, and all worlds are read. */
const WORLDS_PER_NOTIFICATION = 300
const INSTANCES = `${SCHEMA}.instances`

export async function connectLink(url: string, { notified, ended }: LinkEvents): Promise<LinkSession> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_WITHIN,
    query_timeout: ANSWER_WITHIN,
    statement_timeout: ANSWER_WITHIN,
    keepAlive: true,
    application_name: 'vendor-cloud events',
  })
  client.on('error', ended)
  client.on('end', ended)
  client.on('notification', ({ payload = '' }) => notified(payload.split(' ')))
  const session = new Session(client)
  const inOrder = createSerialQueue()
  const ask = async (text: string, values: readonly unknown[]) =>
    (await inOrder(() => session.ask(text, values))).rows as unknown[]
  try {
    await client.connect()
    // If an instance stops responding, the database server ends the session of the instance and releases its locks.
    await client.query(`SET idle_session_timeout = '${LEASE_SECONDS}s'; LISTEN ${CHANNEL}`)
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
  return {
    async renewLease(instance, followed) {
      const text = `INSERT INTO ${INSTANCES} (instance, alive_at, followed) VALUES ($1, clock_timestamp(), $2)
        ON CONFLICT (instance) DO UPDATE SET alive_at = excluded.alive_at, followed = excluded.followed`
      await ask(text, [instance, followed])
    },
    async endLease(instance) {
      await ask(`DELETE FROM ${INSTANCES} WHERE instance = $1 OR alive_at < clock_timestamp() - interval '1 hour'`, [
        instance,
      ])
    },
    async read(positions) {
      const text = `SELECT followed.world, entry.sequence, entry.payload
        FROM unnest($1::bigint[], $2::bigint[]) AS followed (world, after)
        CROSS JOIN LATERAL (SELECT sequence, payload FROM ${SCHEMA}.events
          WHERE world = followed.world AND sequence > after ORDER BY sequence LIMIT ${ENTRIES_PER_READ}) AS entry
        ORDER BY followed.world, entry.sequence`
      const rows = await ask(text, [[...positions.keys()], [...positions.values()]])
      return (rows as { world: string; sequence: string; payload: string }[]).map(({ world, sequence, payload }) => ({
        world,
        sequence: Number(sequence),
        payload,
      }))
    },
    async notify(worlds) {
      for (let from = 0; from < worlds.length; from += WORLDS_PER_NOTIFICATION) {
        const some = worlds.slice(from, from + WORLDS_PER_NOTIFICATION)
        await ask('SELECT pg_notify($1, $2)', [CHANNEL, some.join(' ')])
      }
    },
    async tryLock(name) {
      const text = `SELECT pg_try_advisory_lock(hashtext('${SCHEMA}.tasks'), hashtext($1)) AS locked`
      return ((await ask(text, [name])) as { locked: boolean }[])[0]!.locked
    },
    async countAfter(instance, sequence) {
      const text = `SELECT count(*) AS count FROM ${INSTANCES} WHERE instance <> $1 AND followed < $2
        AND alive_at > clock_timestamp() - interval '${LEASE_SECONDS} seconds'`
      return Number(((await ask(text, [instance, sequence])) as { count: string }[])[0]!.count)
    },
    end: () => void client.end().catch(() => {}),
  }
}
