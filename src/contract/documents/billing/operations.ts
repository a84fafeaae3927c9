import * as z from 'zod'
import { sellerSecret } from '#contract/records/billing/seller.ts'
import { subscriptionStatus } from '#contract/records/billing/subscription-status.ts'

export const BILLING_PATH = '/iap/ws/RTCService'
/** BILLING_NAMESPACE replaces it. */
export const DEFAULT_NAMESPACE = 'http://ws.iap.vendor.com/'

const text = z.string().min(1)

/**
 * Document 3, section 2: the input and the output of each SOAP operation. Only the form of the secret is judged here:
 * an unknown token is told before an unknown purchase (our choice), so both are looked up, whatever they look like.
 */
export const billingOperations = {
  createServiceToken: {
    input: z.object({ secret: sellerSecret }),
    output: z.string(),
    example: { secret: '123456789012' },
  },
  getSubscriptionStatus: {
    input: z.object({ purchaseID: text, serviceToken: text }),
    output: subscriptionStatus,
    example: { purchaseID: 'purchase-active', serviceToken: 'A'.repeat(96) },
    needs: 'serviceToken, from createServiceToken',
  },
}

export type BillingOperation = keyof typeof billingOperations
