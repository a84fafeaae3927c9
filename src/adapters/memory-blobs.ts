import type { Blobs } from '../ports.ts'

export function createMemoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>()
  return {
    put: async (digest, bytes) => void blobs.set(digest, bytes),
    get: async (digest) => blobs.get(digest),
    delete: async (digest) => void blobs.delete(digest),
  }
}
