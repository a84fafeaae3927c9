import type { Blobs } from '../ports/blobs.ts'
import type { Fixtures } from '../seed/fixtures.ts'

/** A world's bytes, and behind them those of the fixtures, which no world keeps for itself. */
export function withFixtureImages(blobs: Blobs, { readImages }: Pick<Fixtures, 'readImages'>): Blobs {
  if (!readImages) return blobs
  return {
    put: (digest, bytes) => blobs.put(digest, bytes),
    get: async (digest) => (await blobs.get(digest)) ?? readImages().get(digest),
    delete: (digest) => blobs.delete(digest),
    isOfFixtures: (digest) => readImages().has(digest),
  }
}
