import type { Blobs } from '#server/ports/blobs.ts'

type InitialBlobs = readonly (readonly [digest: string, bytes: Uint8Array])[]

export function createMemoryBlobs(initial: InitialBlobs = []): Blobs & { share(): InitialBlobs } {
  const blobs = new Map(initial)
  return {
    share: () => [...blobs],
    put: async (digest, bytes) => void blobs.set(digest, bytes),
    get: async (digest) => blobs.get(digest),
    delete: async (digest) => void blobs.delete(digest),
  }
}
