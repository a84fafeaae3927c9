import { z } from 'zod'
import { cancelPurchase, createPurchase, listPayments, listPurchases } from '../domain/billing/purchases.ts'
import { limit, offset } from '../../contract/records/parameters.ts'
import {
  cancelReason,
  paymentPage,
  purchase,
  purchaseID,
  purchaseOrder,
  purchaseStanding,
} from '../../contract/records/billing/purchase.ts'
import { controlOperations } from './context.ts'

/** What a purchase's order ids are derived from is nobody's business. */
const shownPurchase = purchase.omit({ orderSeed: true })

const declare = controlOperations('Purchases')
const params = z.object({ purchaseID })

export const purchases = [
  declare({
    operation: 'createPurchase',
    route: 'POST /_control/purchases',
    summary: 'Sell a subscription',
    body: purchaseOrder,
    reply: shownPurchase,
    further: [400, 404, 409],
    run: async ({ ports, body }) => createPurchase(ports, body),
  }),

  declare({
    operation: 'listPurchases',
    route: 'GET /_control/purchases',
    summary: 'Purchases, each with how it stands',
    query: z.object({ limit, offset }),
    reply: z.object({ items: z.array(shownPurchase.extend(purchaseStanding.shape)), totalCount: z.int() }),
    further: [400],
    run: async ({ ports, query }) => listPurchases(ports, query),
  }),

  declare({
    operation: 'cancelPurchase',
    route: 'POST /_control/purchases/:purchaseID/cancel',
    summary: 'Cancel a subscription; what is paid for stays valid until its period ends',
    params,
    body: z.strictObject({ reason: reasonOf(cancelReason) }),
    reply: shownPurchase,
    further: [400, 404, 409],
    run: async ({ ports, params, body }) => cancelPurchase(ports, params.purchaseID, body.reason),
  }),

  declare({
    operation: 'listPayments',
    route: 'GET /_control/purchases/:purchaseID/payments',
    summary: 'The payments made so far, the first one first',
    params,
    query: z.object({ limit, offset }),
    reply: paymentPage,
    further: [400, 404],
    run: async ({ ports, params, query }) => listPayments(ports, params.purchaseID, query),
  }),
]

/** People write reasons as numbers too. */
function reasonOf(schema: typeof cancelReason) {
  const numbers = z.literal([1, 2, 3, 4, 5]).transform((number) => schema.parse(String(number)))
  const meaning = '1 user, 2 system, 3 billing error, 4 item not available or 5 unknown error'
  return z.union([schema, numbers], `must be ${meaning}`).meta({
    description: `${meaning}; as a number too`,
    openapi: { type: 'string', enum: schema.options },
  })
}
