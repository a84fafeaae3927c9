import { orderHelpOperations } from '#contract/documents/support/order-help.ts'
import { listContactReasons, requireOrderHelpForm } from '../domain/guest/order-help.ts'
import { implement } from './operation.ts'

export const orderHelp = implement(orderHelpOperations, {
  1: async ({ ports }) => listContactReasons(ports),
  2: async ({ ports, query }) => requireOrderHelpForm(ports, query.reasonId),
})
