import { taxonomyOperations } from '#contract/documents/support/in-store/taxonomies.ts'
import { lookUpTaxonomy, lookUpTaxonomyTree } from '#server/domain/in-store/taxonomies.ts'
import { implement } from '../operation.ts'

export const taxonomies = implement(taxonomyOperations, {
  39: async ({ ports, query }) => lookUpTaxonomy(ports, query.upperTaxonomyCode),
  40: async ({ ports }) => lookUpTaxonomyTree(ports),
})
