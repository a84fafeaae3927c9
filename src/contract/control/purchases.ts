import { z } from 'zod'
import { defineOperations } from '../operation.ts'
import {
  cancelReason,
  paymentPage,
  purchase,
  purchaseID,
  purchaseOrder,
  purchaseStanding,
} from '../records/billing/purchase.ts'
import { limit, offset } from '../records/parameters.ts'
import { controlRoutes } from './routes.ts'

/** What a purchase's order ids are derived from is nobody's business. */
const shownPurchase = purchase.omit({ orderSeed: true })

const params = z.object({ purchaseID })

/** People write reasons as numbers too. */
function reasonOf(schema: typeof cancelReason) {
  const numbers = z.literal([1, 2, 3, 4, 5]).transform((number) => schema.parse(String(number)))
  const meaning = '1 user, 2 system, 3 billing error, 4 item not available or 5 unknown error'
  return z.union([schema, numbers], `must be ${meaning}`).meta({
    description: `${meaning}; as a number too`,
    openapi: { type: 'string', enum: schema.options },
  })
}

export const purchaseOperations = defineOperations(
  { scope: 'control', tag: 'Purchases' },
  {
    createPurchase: {
      route: controlRoutes.createPurchase,
      summary: 'Sell a subscription',
      body: purchaseOrder,
      reply: shownPurchase,
      further: [400, 404, 409],
    },
    listPurchases: {
      route: controlRoutes.listPurchases,
      summary: 'Purchases, each with how it stands',
      query: z.object({ limit, offset }),
      reply: z.object({ items: z.array(shownPurchase.extend(purchaseStanding.shape)), totalCount: z.int() }),
      further: [400],
    },
    cancelPurchase: {
      route: controlRoutes.cancelPurchase,
      summary: 'Cancel a subscription; what is paid for stays valid until its period ends',
      params,
      body: z.strictObject({ reason: reasonOf(cancelReason) }),
      reply: shownPurchase,
      further: [400, 404, 409],
    },
    listPayments: {
      route: controlRoutes.listPayments,
      summary: 'The payments made so far, the first one first',
      params,
      query: z.object({ limit, offset }),
      reply: paymentPage,
      further: [400, 404],
    },
  },
)
