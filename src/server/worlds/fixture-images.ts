import type { Blobs } from '../ports/blobs.ts'
import type { Fixtures } from '../seed/fixtures.ts'

/** No world keeps the bytes of the fixtures' images for itself. */
export function withFixtureImages(blobs: Blobs, { readImages }: Pick<Fixtures, 'readImages'>): Blobs {
  if (!readImages) return blobs
  return {
    put: (digest, bytes) => blobs.put(digest, bytes),
    get: async (digest) => (await blobs.get(digest)) ?? readImages().get(digest),
    delete: (digest) => blobs.delete(digest),
    isOfFixtures: (digest) => readImages().has(digest),
  }
}
