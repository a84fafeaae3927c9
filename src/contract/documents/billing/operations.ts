import * as z from 'zod'
import { sellerSecret } from '#contract/records/billing/seller.ts'
import { subscriptionStatus } from '#contract/records/billing/subscription-status.ts'

export const BILLING_PATH = '/iap/ws/RTCService'
export const DEFAULT_NAMESPACE = 'http://ws.iap.vendor.com/'

const text = z.string().min(1)

/** Document 3, section 2. Formats are not checked, because the domain must report an invalid token first. */
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
