import type { Blobs } from '../../ports.ts'
import { SCHEMA } from './layout.ts'
import type { PostgresPool } from './pool.ts'

/** Images of one world in the database. */
export function createPostgresBlobs(pool: PostgresPool, world: string): Blobs {
  const images = `${SCHEMA}.images`
  return {
    async put(digest, bytes) {
      // Nothing is left behind in a world that another instance has ended.
      const text = `INSERT INTO ${images} (house, digest, bytes) SELECT $1, $2, $3
        WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.worlds WHERE house = $1) ON CONFLICT DO NOTHING`
      await pool.ask(text, [world, digest, Buffer.from(bytes)])
    },
    async get(digest) {
      const text = `SELECT bytes FROM ${images} WHERE house = $1 AND digest = $2`
      const { rows } = await pool.ask(text, [world, digest])
      return (rows[0] as { bytes: Buffer } | undefined)?.bytes
    },
    async delete(digest) {
      const text = `DELETE FROM ${images} WHERE house = $1 AND digest = $2`
      await pool.ask(text, [world, digest])
    },
  }
}
