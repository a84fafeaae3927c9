import { storeOperations } from '#contract/documents/support/dealer/stores.ts'
import { listStores } from '#server/domain/dealer/stores.ts'
import { implement } from '../operation.ts'

export const stores = implement(storeOperations, {
  17: async ({ ports, caller, query }) => {
    const { 'sort.field': sortField, 'sort.direction': sortDirection, ...search } = query
    return listStores(ports, caller, { ...search, sortField, sortDirection })
  },
})
