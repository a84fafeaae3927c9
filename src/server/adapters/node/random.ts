import { randomBytes } from 'node:crypto'
import type { Random } from '#server/ports/chance.ts'

/** In a world without a seed nobody can guess the next id or secret. */
export const cryptoRandom: Random = { bytes: async (_kind, length) => randomBytes(length) }

/** 24 bytes are 192 random bits. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
