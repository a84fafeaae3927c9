import { z } from 'zod'
import { sellerSecret } from './seller.ts'

const text = z.string().min(1)

/**
 * Document 3, section 2: what each operation takes. Only the form of the secret is judged here: an unknown token is
 * told before an unknown purchase (our choice), so both are looked up, whatever they look like.
 */
export const calls = {
  createServiceToken: z.object({ secret: sellerSecret }),
  getSubscriptionStatus: z.object({ purchaseID: text, serviceToken: text }),
}

export type OperationName = keyof typeof calls
