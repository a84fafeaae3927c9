import type { Blobs } from '#server/ports/blobs.ts'
import { WorldEnded } from '#server/ports/failures.ts'
import { SCHEMA } from './layout.ts'
import type { PostgresPool } from './pool.ts'

export function createPostgresBlobs(pool: PostgresPool, world: string): Blobs {
  const images = `${SCHEMA}.images`
  return {
    async put(digest, bytes) {
      // Stores nothing if another instance has already deleted the world.
      const text = `INSERT INTO ${images} (house, digest, bytes) SELECT $1, $2, $3
        WHERE EXISTS (SELECT 1 FROM ${SCHEMA}.worlds WHERE house = $1) ON CONFLICT DO NOTHING`
      await pool.ask(text, [world, digest, Buffer.from(bytes)])
    },
    async get(digest) {
      const text = `SELECT i.bytes FROM ${SCHEMA}.worlds w
        LEFT JOIN ${images} i ON i.house = w.house AND i.digest = $2 WHERE w.house = $1`
      const { rows } = await pool.ask(text, [world, digest])
      const [found] = rows as { bytes: Buffer | null }[]
      // The image may have been deleted together with the world.
      if (!found) throw new WorldEnded()
      return found.bytes ?? undefined
    },
    async delete(digest) {
      const text = `DELETE FROM ${images} WHERE house = $1 AND digest = $2`
      await pool.ask(text, [world, digest])
    },
  }
}
