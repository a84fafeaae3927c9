import type { Bus, Notice, StreamClaim } from '#server/ports/bus.ts'
import { Unavailable } from '#server/ports/failures.ts'
import { appendToLog } from './event-log.ts'
import { codeOf } from './failures.ts'
import { SCHEMA } from './layout.ts'
import type { PostgresPool } from './pool.ts'

/** Seconds after which an instance that has not renewed its lease counts as stopped. Its claims are then void. */
export const LEASE_SECONDS = 5

const LIVE = `SELECT subscription, token, generation FROM ${SCHEMA}.claims JOIN ${SCHEMA}.instances USING (instance)
  WHERE alive_at > clock_timestamp() - interval '${LEASE_SECONDS} seconds'`

export interface Claims {
  find: Bus['findClaim']
  /** `instance` is the name at the time of the claim. A lost lease changes it. */
  claim(claim: StreamClaim, instance: string): ReturnType<Bus['claim']>
  release(claim: StreamClaim, instance: string): Promise<void>
}

export function createPostgresClaims(pool: PostgresPool, world: string): Claims {
  return {
    async find(by) {
      const [column, value] = 'subscriptionId' in by ? ['subscription', by.subscriptionId] : ['token', by.tokenDigest]
      const { rows } = await pool.ask(`${LIVE} AND world = $1 AND ${column} = $2`, [world, value])
      return rows.map(toClaim)[0]
    },

    claim: ({ subscriptionId, tokenDigest, generation }, instance) =>
      pool.use(async ({ ask, send }) => {
        await send(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('${SCHEMA}.claims'), hashint8(${Number(world)}))`)
        try {
          const both = [world, subscriptionId, tokenDigest]
          const claims = (await ask(`${LIVE} AND world = $1 AND (subscription = $2 OR token = $3)`, both)).rows.map(
            toClaim,
          )
          const older = claims.find((claim) => claim.subscriptionId === subscriptionId)
          if (claims.some((claim) => claim !== older && claim.tokenDigest === tokenDigest)) return 'token-in-use'
          if (older && older.generation > generation) return 'newer-stream'
          await ask(`DELETE FROM ${SCHEMA}.claims WHERE world = $1 AND (subscription = $2 OR token = $3)`, both)
          await ask(
            `INSERT INTO ${SCHEMA}.claims (world, subscription, token, generation, instance)
              VALUES ($1, $2, $3, $4, $5)`,
            [...both, generation, instance],
          )
          const notice: Notice = { kind: 'stream-taken', subscriptionId, generation }
          if (older && older.generation < generation) await appendToLog(ask, world, [{ notice }])
          await send('COMMIT')
          return 'granted'
        } catch (error) {
          // The instance lost its lease during this call and got another name.
          if (codeOf(error) === '23503') throw new Unavailable('this instance has lost its lease', { cause: error })
          throw error
        } finally {
          // This rollback has no effect after a commit.
          await send('ROLLBACK').catch(() => {})
        }
      }),

    async release({ subscriptionId, generation }, instance) {
      await pool.ask(
        `DELETE FROM ${SCHEMA}.claims WHERE world = $1 AND subscription = $2 AND generation = $3 AND instance = $4`,
        [world, subscriptionId, generation, instance],
      )
    },
  }
}

function toClaim(row: unknown): StreamClaim {
  const { subscription, token, generation } = row as { subscription: string; token: string; generation: string }
  return { subscriptionId: subscription, tokenDigest: token, generation: Number(generation) }
}
