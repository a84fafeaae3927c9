import { createHash, randomBytes } from 'node:crypto'
import type { Random } from '#server/ports/chance.ts'
import type { Store } from '#server/ports/store.ts'

/** Unpredictable, for worlds without a seed. Generating 4 KiB at a time is 20 times faster. */
export function createCryptoRandom(): Random {
  let unused = randomBytes(0)
  return {
    async bytes(_kind, length) {
      if (unused.length < length) unused = randomBytes(length + 4096)
      const bytes = unused.subarray(0, length)
      unused = unused.subarray(length)
      return bytes
    },
  }
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** The same bytes on every machine. Counters are stored, so that restarts, restores and instances repeat no value. */
export function createSeededRandom(seed: string, store: Pick<Store, 'transaction'>): Random {
  return {
    async bytes(kind, length) {
      const count = await store.transaction(async (tx) => {
        const value = ((await tx.counters.get(kind))?.value ?? 0) + 1
        await tx.counters.put({ kind, value })
        return value
      })
      const blocks: Buffer[] = []
      for (let block = 0; block * 32 < length; block++) {
        blocks.push(
          createHash('sha256')
            .update(JSON.stringify([seed, kind, count, block]))
            .digest(),
        )
      }
      return Buffer.concat(blocks).subarray(0, length)
    },
  }
}
