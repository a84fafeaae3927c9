import * as z from 'zod'
import {
  cancelReason,
  paymentPage,
  purchaseID,
  purchaseOrder,
  soldPurchase,
  purchaseWithState,
} from '../records/billing/purchase.ts'
import { pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const params = z.object({ purchaseID })

function reasonOf(schema: typeof cancelReason) {
  const numbers = z.literal([1, 2, 3, 4, 5]).transform((number) => schema.parse(String(number)))
  const meaning = '1 user, 2 system, 3 billing error, 4 item not available or 5 unknown error'
  return z.union([schema, numbers], `must be ${meaning}`).meta({
    description: `Reason: ${meaning}`,
    openapi: { type: 'string', enum: schema.options },
  })
}

export const purchaseOperations = defineControl('Purchases', {
  createPurchase: {
    summary: 'Create a purchase',
    body: purchaseOrder,
    reply: soldPurchase,
    otherStatuses: [409],
    example: {
      body: {
        sellerSecret: '123456789012',
        purchaseID: 'my-purchase',
        itemID: 'premium',
        period: 'P1M',
        price: 4.99,
        currency: 'USD',
        country: 'USA',
      },
    },
  },
  listPurchases: {
    summary: 'List purchases',
    query: paging,
    reply: pageOf(purchaseWithState),
  },
  cancelPurchase: {
    summary: 'Cancel a purchase',
    description: 'The subscription remains valid until the end of the paid period.',
    params,
    body: z.strictObject({ reason: reasonOf(cancelReason) }),
    reply: soldPurchase,
    otherStatuses: [409],
    example: { params: { purchaseID: 'purchase-active' }, body: { reason: '1' } },
  },
  listPayments: {
    summary: 'List payments of a purchase',
    description: 'Payments so far, oldest first.',
    params,
    query: paging,
    reply: paymentPage,
  },
})
