import { inStoreSlotOperations } from '#contract/documents/support/in-store/slots.ts'
import { listInStoreSlots } from '#server/domain/in-store/in-store-slots.ts'
import { implement } from '../operation.ts'

export const inStoreSlots = implement(inStoreSlotOperations, {
  37: async ({ ports, query }) => listInStoreSlots(ports, query),
})
