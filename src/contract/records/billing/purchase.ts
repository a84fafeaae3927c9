import * as z from 'zod'
import { duration } from '../duration.ts'
import { instant, text } from '../formats.ts'
import { sellerSecret } from './seller.ts'

const id = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes and underscores')

export const purchaseID = id.meta({ description: 'Id of the purchase', example: 'purchase-active' })
const itemID = id.meta({ description: 'Id of the item in the seller portal', example: 'premium-monthly' })

/** Document 3, section 2: 1 user, 2 system, 3 billing error, 4 item not available at renewal, 5 unknown error. */
export const cancelReason = z.enum(['1', '2', '3', '4', '5'])
export type CancelReason = z.infer<typeof cancelReason>

const price = z.number().min(0).max(1e9).meta({ description: 'What the item costs, without tax', example: 4.99 })
const threeLetters = z.string().regex(/^[A-Z]{3}$/, 'must be a code of three capital letters')

const purchaseTerms = z.object({
  itemID,
  period: duration.describe('From one payment to the next'),
  price,
  currency: threeLetters.meta({ description: 'ISO 4217', example: 'USD' }),
  taxRate: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .meta({ description: 'Tax on the price, 0.19 for 19%; 0 when left out', example: 0.19 }),
  supplyPrice: price
    .optional()
    .meta({ description: 'The price with the tax collected, where it is not price x (1 + taxRate)', example: 5.94 }),
  country: threeLetters.meta({ description: 'ISO 3166-1, three letters', example: 'USA' }),
  freeTrial: duration.optional().describe('Free time before the first payment'),
  tiers: z
    .object({ price, payments: z.int().min(1).max(1000).describe('How many payments') })
    .optional()
    .meta({ description: 'A lower price for the first payments' }),
  continues: id.optional().meta({ description: 'Id of the earlier purchase that this one continues' }),
  realMode: z.enum(['Y', 'N']).default('Y').meta({ description: 'N: a test without real payment' }),
})

export const purchaseOrder = z.strictObject({
  ...purchaseTerms.shape,
  sellerSecret,
  purchaseID: purchaseID.optional(),
})
export type PurchaseOrder = z.infer<typeof purchaseOrder>
export type PurchaseInput = z.input<typeof purchaseOrder>

/** Only terms and events are stored; everything else is computed from them and the clock. */
export const purchase = purchaseTerms.extend({
  purchaseID,
  sellerSecret,
  purchasedAt: instant.describe('When it was sold'),
  cancellation: z
    .object({
      at: instant.describe('When'),
      reason: cancelReason.describe('1 user, 2 system, 3 billing error, 4 item not available, 5 unknown error'),
    })
    .optional()
    .describe('How it was cancelled'),
  /** Ids of orders follow from this seed, so they are the same after a restart. */
  orderSeed: text(64).describe('What the order ids are derived from'),
})
export type Purchase = Readonly<z.infer<typeof purchase>>

/** A reader of the seed could foretell the ids of orders. */
export const soldPurchase = purchase.omit({ orderSeed: true })
export type SoldPurchase = z.infer<typeof soldPurchase>

export const payment = z.object({
  number: z.int().describe('From 1'),
  at: instant.describe('When it was made'),
  orderId: z.string().describe('Id of its order'),
  plan: z.enum(['T', 'R']).meta({ description: 'T tiered (low tier) price, R regular price' }),
  price: z.number().meta({ description: 'What was paid, without tax' }),
})
export type Payment = z.infer<typeof payment>

export const purchaseStanding = z.object({
  nextPaymentAt: instant.optional().meta({ description: 'When it is paid again; absent when it is not' }),
  paidUntil: instant.meta({ description: 'When what is paid for, or the free trial, ends' }),
  cancellation: z
    .object({ at: instant.describe('When'), reason: cancelReason.describe('Who, or what, ended it') })
    .optional()
    .meta({ description: 'When it renews no more, and why' }),
})
export type PurchaseStanding = z.infer<typeof purchaseStanding>

export const standingPurchase = soldPurchase.extend(purchaseStanding.shape)
export type StandingPurchase = z.infer<typeof standingPurchase>

export const paymentPage = z.object({
  items: z.array(payment).describe('The payments of this page'),
  totalCount: z.int().describe('Counts the payments of all pages'),
  ...purchaseStanding.shape,
})
export type PaymentPage = z.infer<typeof paymentPage>
