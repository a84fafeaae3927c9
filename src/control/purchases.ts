import { z } from 'zod'
import { cancelPurchase, createPurchase, listPayments } from '../domain/billing/purchases.ts'
import { errorBody } from '../http/json-errors.ts'
import { limit, offset } from '../http/input/parameters.ts'
import { instant } from '../schemas/formats.ts'
import { cancelReason, purchase, purchaseID, purchaseOrder } from '../schemas/billing/purchase.ts'
import type { ControlApp } from './context.ts'

/** What a purchase's order ids are derived from is nobody's business. */
const shownPurchase = purchase.omit({ orderSeed: true })

const payment = z.object({
  number: z.int(),
  at: instant,
  orderId: z.string(),
  plan: z.enum(['T', 'R']).meta({ description: 'T tiered (low tier) price, R regular price' }),
  price: z.number(),
})
const payments = z.object({ items: z.array(payment), totalCount: z.int(), nextPaymentAt: instant.optional() })

export function purchases(app: ControlApp): void {
  const tags = ['Purchases']
  const params = z.object({ purchaseID })
  const refusals = { 400: errorBody, 403: errorBody, 404: errorBody }

  app.post('/_control/purchases', {
    config: { operation: 'createPurchase' },
    schema: {
      tags,
      summary: 'Sell a subscription',
      body: purchaseOrder,
      response: { 200: shownPurchase, ...refusals, 409: errorBody },
    },
    handler: async ({ ports, body }) => createPurchase(ports, body),
  })

  app.post('/_control/purchases/:purchaseID/cancel', {
    config: { operation: 'cancelPurchase' },
    schema: {
      tags,
      summary: 'Cancel a subscription; what is paid for stays valid until its period ends',
      params,
      body: z.strictObject({ reason: reasonOf(cancelReason) }),
      response: { 200: shownPurchase, ...refusals, 409: errorBody },
    },
    handler: async ({ ports, params, body }) => cancelPurchase(ports, params.purchaseID, body.reason),
  })

  app.get('/_control/purchases/:purchaseID/payments', {
    config: { operation: 'listPayments' },
    schema: {
      tags,
      summary: 'The payments made so far, the first one first',
      params,
      querystring: z.object({ limit, offset }),
      response: { 200: payments, ...refusals },
    },
    handler: async ({ ports, params, query }) => listPayments(ports, params.purchaseID, query),
  })
}

/** People write reasons as numbers too. */
function reasonOf(schema: typeof cancelReason) {
  const numbers = z.literal([1, 2, 3, 4, 5]).transform((number) => schema.parse(String(number)))
  const meaning = '1 user, 2 system, 3 billing error, 4 item not available or 5 unknown error'
  return z.union([schema, numbers], `must be ${meaning}`).meta({
    description: `${meaning}; as a number too`,
    openapi: { type: 'string', enum: schema.options },
  })
}
