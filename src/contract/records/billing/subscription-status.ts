import * as z from 'zod'
import { cancelReason } from './purchase.ts'

/** A timestamp in GMT, in the form `YYYY-MM-DD HH:mm:ss`. */
const gmt = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const count = z.string().regex(/^\d+$/)
const threeLetters = z.string().length(3)

/** Document 3, section 2. The order of the fields is that of the XML schema. Numbers are doubles in that schema. */
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
/** Required in every response by the rules in document 3, section 3, or by the XML schema (numbers). */
const lasting = ['subscriptionEndDate', 'subscriptionType', 'subscriptionStatus', 'cancelSubscriptionReason']

/** Fields that variation may remove. Document 3, section 9, allows removing response parameters. */
export const removableStatusFields: readonly string[] = Object.entries(subscriptionStatus.shape)
  .filter(([name, type]) => !lasting.includes(name) && !(type instanceof z.ZodNumber))
  .map(([name]) => name)

export type SubscriptionStatus = z.infer<typeof subscriptionStatus>
