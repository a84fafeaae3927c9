import { inStoreCatalogOperations } from '#contract/documents/support/in-store/catalog.ts'
import {
  listInStoreArticles,
  listInStoreSymptoms,
  lookUpNearestCenter,
} from '#server/domain/in-store/in-store-catalog.ts'
import { implement } from '../operation.ts'

export const inStoreCatalog = implement(inStoreCatalogOperations, {
  36: async ({ ports, query }) => lookUpNearestCenter(ports, query),
  38: async ({ ports, query }) =>
    listInStoreSymptoms(ports, { bespoke: query.bespoke === 'Y', modelCode: query.modelCode }),
  41: async ({ ports, query }) => listInStoreArticles(ports, query),
})
