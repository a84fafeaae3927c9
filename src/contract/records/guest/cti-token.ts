import * as z from 'zod'
import { instant } from '../formats.ts'

/** Response of operation 3: document 1, CtiToken. */
export const ctiToken = z.object({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().meta({ description: 'Lifetime in seconds', example: 3600 }),
  issuedAt: instant,
})

export type CtiToken = z.infer<typeof ctiToken>

export const ctiTokenRecord = z.object({
  tokenDigest: z.string(),
  userId: z.string().optional(),
  issuedAt: instant,
  expiresAt: instant,
})
