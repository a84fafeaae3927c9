import * as z from 'zod'
import { instant, matching, text } from '../formats.ts'

/** Document 3, section 8: a number of at most 12 digits; leading zeros are part of it. */
export const sellerSecret = matching(/^\d{1,12}$/, 'must be 1 to 12 digits').meta({
  description: 'Numeric id of the seller',
  example: '123456789012',
})

export const seller = z.object({ secret: sellerSecret, name: text(100) })

/** The store keeps only a digest: the 96 characters go out once. */
export const serviceToken = z.object({ tokenDigest: z.string(), sellerSecret, issuedAt: instant })
