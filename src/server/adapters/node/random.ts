import { randomBytes } from 'node:crypto'
import type { Random } from '../../ports/chance.ts'

/** For worlds without a seed: nobody can guess what comes next. */
export const cryptoRandom: Random = { bytes: async (_kind, length) => randomBytes(length) }

/** A secret or a key in letters, digits, dashes and underscores; 24 bytes are 192 random bits. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
