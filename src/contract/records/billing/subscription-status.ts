import * as z from 'zod'
import { cancelReason } from './purchase.ts'

/** `YYYY-MM-DD HH:mm:ss` in GMT. */
const gmt = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const count = z.string().regex(/^\d+$/)
const threeLetters = z.string().length(3)

/**
 * Document 3, section 2: the `output` of getSubscriptionStatus. The order here is the order of the reply and of its
 * XML schema; numbers are doubles there, all else strings.
 */
export const subscriptionStatus = z.object({
  subscriptionPurchaseDate: gmt,
  subscriptionEndDate: gmt,
  subscriptionType: z.literal('Item_Type_Auto_Recurring_Subscription'),
  subscriptionStatus: z.enum(['ACTIVE', 'CANCEL']),
  subscriptionFirstPurchaseID: z.string(),
  countryCode: threeLetters,
  localCurrencyCode: threeLetters,
  localPrice: z.number(),
  supplyPrice: z.number(),
  itemID: z.string(),
  freeTrial: z.enum(['Y', 'N']),
  realMode: z.enum(['Y', 'N']),
  latestOrderId: z.string().regex(/^[A-Za-z0-9]{19}$/),
  cancelSubscriptionDate: gmt.optional(),
  cancelSubscriptionReason: cancelReason.optional(),
  totalNumberOfTieredPayment: count,
  currentPaymentPlan: z.enum(['F', 'R', 'T']),
  totalNumberOfRenewalPayment: count,
  subscriptionFirstPaymentDate: gmt,
})
/** Document 3, section 3 reads them, and `subscriptionType` is always the same; numbers must be there by the schema. */
const lasting = ['subscriptionEndDate', 'subscriptionType', 'subscriptionStatus', 'cancelSubscriptionReason']

/** Document 3, section 9: response parameters may be removed. */
export const removableStatusFields: readonly string[] = Object.entries(subscriptionStatus.shape)
  .filter(([name, type]) => !lasting.includes(name) && !(type instanceof z.ZodNumber))
  .map(([name]) => name)

export type SubscriptionStatus = z.infer<typeof subscriptionStatus>
