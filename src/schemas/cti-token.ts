import { z } from 'zod'
import { instant } from './formats.ts'

/** Document 1, CtiToken. */
export const ctiToken = z.object({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().meta({ description: 'Seconds', example: 3600 }),
  issuedAt: instant,
})

/** Kept as a digest: the token itself goes out once. */
export const ctiTokenRecord = z.object({
  tokenDigest: z.string(),
  userId: z.string(),
  issuedAt: instant,
  expiresAt: instant,
})
