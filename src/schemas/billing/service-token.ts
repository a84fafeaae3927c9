import { z } from 'zod'
import { instant } from '../formats.ts'
import { sellerSecret } from './seller.ts'

/** Kept as a digest: the 96 characters themselves go out once. */
export const serviceToken = z.object({ tokenDigest: z.string(), sellerSecret, issuedAt: instant })
