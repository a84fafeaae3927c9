import * as z from 'zod'
import { instant, matching, text } from '../formats.ts'

/** Document 3, section 8. Leading zeros are part of the secret. */
export const sellerSecret = matching(/^\d{1,12}$/, 'must be 1 to 12 digits').meta({
  description: 'Seller secret, a number of up to 12 digits',
  example: '123456789012',
})

export const seller = z.object({ secret: sellerSecret, name: text(100) })

/** Only the digest of the token is stored. */
export const serviceToken = z.object({ tokenDigest: z.string(), sellerSecret, issuedAt: instant })
