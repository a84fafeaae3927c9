import * as z from 'zod'
import { instant } from '../formats.ts'

/** Document 1, CtiToken. */
export const ctiToken = z.object({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().meta({ description: 'Seconds', example: 3600 }),
  issuedAt: instant,
})

export type CtiToken = z.infer<typeof ctiToken>

/** The store keeps only a digest: the token goes out once. */
export const ctiTokenRecord = z.object({
  tokenDigest: z.string(),
  /** Absent for a guest. */
  userId: z.string().optional(),
  issuedAt: instant,
  expiresAt: instant,
})
