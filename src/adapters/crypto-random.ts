import { randomBytes } from 'node:crypto'
import type { Random } from '../ports.ts'

/** For worlds without a seed: nobody can guess what comes next. */
export const cryptoRandom: Random = { bytes: async (_kind, length) => randomBytes(length) }
