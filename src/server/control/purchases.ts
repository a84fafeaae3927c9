import { purchaseOperations } from '#contract/control/purchases.ts'
import { cancelPurchase, createPurchase, listPayments, listPurchases } from '../domain/billing/purchases.ts'
import { implementControl } from './context.ts'

export const purchases = implementControl(purchaseOperations, {
  createPurchase: async ({ ports, body }) => createPurchase(ports, body),
  listPurchases: async ({ ports, query }) => listPurchases(ports, query),

  cancelPurchase: async ({ ports, params, body }) => cancelPurchase(ports, params.purchaseID, body.reason),
  listPayments: async ({ ports, params, query }) => listPayments(ports, params.purchaseID, query),
})
