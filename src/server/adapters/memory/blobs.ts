import type { Blobs } from '#server/ports/blobs.ts'
import { nodeTurns } from '../node/turns.ts'

type InitialBlobs = readonly (readonly [digest: string, bytes: Uint8Array])[]

export function createMemoryBlobs(initial: InitialBlobs = []): Blobs & { share(): InitialBlobs } {
  const blobs = new Map(initial)
  return {
    share: () => [...blobs],
    put: async (digest, bytes) => void blobs.set(digest, bytes),
    get: async (digest) => {
      // Each image may be megabytes of work, so a reader of all of them gives way between two.
      await nodeTurns.give()
      return blobs.get(digest)
    },
    delete: async (digest) => void blobs.delete(digest),
  }
}
