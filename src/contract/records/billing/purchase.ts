import * as z from 'zod'
import { duration } from '../duration.ts'
import { instant, text } from '../formats.ts'
import { sellerSecret } from './seller.ts'

const id = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes and underscores')

export const purchaseID = id.meta({ description: 'ID of the purchase', example: 'purchase-active' })
const itemID = id.meta({ description: 'ID of the item in the seller portal', example: 'premium-monthly' })

/** Reasons for a cancellation in document 3, section 2. */
export const cancelReason = z.enum(['1', '2', '3', '4', '5'])
export type CancelReason = z.infer<typeof cancelReason>

const price = z.number().min(0).max(1e9).meta({ description: 'Price without tax', example: 4.99 })
const threeLetters = z.string().regex(/^[A-Z]{3}$/, 'must be a code of three capital letters')

const purchaseTerms = z.object({
  itemID,
  period: duration.describe('Billing period, an ISO 8601 duration such as P1M (one month)'),
  price,
  currency: threeLetters.meta({ description: 'Currency code (ISO 4217)', example: 'USD' }),
  taxRate: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .meta({ description: 'Tax rate, for example 0.19 for 19 %. Default: 0.', example: 0.19 }),
  supplyPrice: price
    .optional()
    .meta({ description: 'Price including tax. Default: price × (1 + taxRate).', example: 5.94 }),
  country: threeLetters.meta({ description: 'Country code (ISO 3166-1 alpha-3)', example: 'USA' }),
  freeTrial: duration
    .optional()
    .describe('Free trial before the first payment, an ISO 8601 duration such as P7D (seven days)'),
  tiers: z
    .object({ price, payments: z.int().min(1).max(1000).describe('Number of payments at the lower price') })
    .optional()
    .describe('Lower price for the first payments'),
  continues: id.optional().describe('ID of the earlier purchase that this purchase continues'),
  realMode: z.enum(['Y', 'N']).default('Y').describe('Y: real payments. N: test mode.'),
})

export const purchaseOrder = z.strictObject({
  ...purchaseTerms.shape,
  sellerSecret,
  purchaseID: purchaseID.optional(),
})
export type PurchaseOrder = z.infer<typeof purchaseOrder>
export type PurchaseInput = z.input<typeof purchaseOrder>

/** The state of a purchase is computed from these fields and the clock. */
export const purchase = purchaseTerms.extend({
  purchaseID,
  sellerSecret,
  purchasedAt: instant.describe('Purchase time'),
  cancellation: z
    .object({
      at: instant.describe('Cancellation time'),
      reason: cancelReason.describe('1: user, 2: system, 3: billing error, 4: item not available, 5: unknown error'),
    })
    .optional()
    .describe('Cancellation'),
  orderSeed: text(64).describe('Seed of the order IDs'),
})
export type Purchase = Readonly<z.infer<typeof purchase>>

/** Omits the seed, because anyone who knows the seed can predict order IDs. */
export const soldPurchase = purchase.omit({ orderSeed: true })
export type SoldPurchase = z.infer<typeof soldPurchase>

export const payment = z.object({
  number: z.int().describe('Number of the payment, starting at 1'),
  at: instant.describe('Payment time'),
  orderId: z.string().describe('Order ID'),
  plan: z.enum(['T', 'R']).describe('T: tiered (lower) price, R: regular price'),
  price: z.number().describe('Paid price without tax'),
})
export type Payment = z.infer<typeof payment>

export const purchaseState = z.object({
  nextPaymentAt: instant.optional().describe('Time of the next payment. Absent if there is none.'),
  paidUntil: instant.describe('End of the paid period or free trial'),
  cancellation: z
    .object({ at: instant.describe('Cancellation time'), reason: cancelReason.describe('Cancellation reason') })
    .optional()
    .describe('Cancellation. Absent if the subscription was not cancelled.'),
})
export type PurchaseState = z.infer<typeof purchaseState>

export const purchaseWithState = soldPurchase.extend({
  ...purchaseState.shape,
  payments: z.int().describe('Number of payments so far'),
})
export type PurchaseWithState = z.infer<typeof purchaseWithState>

export const paymentPage = z.object({
  items: z.array(payment).describe('Payments on this page'),
  totalCount: z.int().describe('Number of payments on all pages'),
  ...purchaseState.shape,
})
export type PaymentPage = z.infer<typeof paymentPage>
