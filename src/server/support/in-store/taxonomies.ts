import { z } from 'zod'
import { lookUpTaxonomy, lookUpTaxonomyTree } from '../../domain/in-store/taxonomies.ts'
import { filter } from '../../../contract/records/parameters.ts'
import { taxonomy } from '../../../contract/records/in-store/taxonomy.ts'
import { anonymousOperation } from '../operation.ts'

export const taxonomies = [
  anonymousOperation({
    operation: 39,
    route: 'GET /stg/us/instore/noauth/taxonomy',
    summary: 'Look up a product group with its children',
    query: z.object({ upperTaxonomyCode: filter.default('root') }),
    reply: taxonomy,
    further: [404],
    run: async ({ ports, query }) => lookUpTaxonomy(ports, query.upperTaxonomyCode),
  }),

  anonymousOperation({
    operation: 40,
    route: 'GET /stg/us/instore/noauth/taxonomyTree',
    summary: 'Look up all product groups',
    reply: taxonomy,
    further: [404],
    run: async ({ ports }) => lookUpTaxonomyTree(ports),
  }),
]
