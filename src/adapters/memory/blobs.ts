import type { Blobs } from '../../ports.ts'

export function createMemoryBlobs(initial: Iterable<readonly [string, Uint8Array]> = []): Blobs {
  const blobs = new Map(initial)
  return {
    put: async (digest, bytes) => void blobs.set(digest, bytes),
    get: async (digest) => blobs.get(digest),
    delete: async (digest) => void blobs.delete(digest),
  }
}
