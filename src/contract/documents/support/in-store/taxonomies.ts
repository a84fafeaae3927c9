import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { taxonomy } from '#contract/records/in-store/taxonomy.ts'
import { filter } from '#contract/records/parameters.ts'

export const taxonomyOperations = defineOperations(
  { scope: 'anonymous', tag: 'In Store' },
  {
    39: {
      route: 'GET /stg/us/instore/noauth/taxonomy',
      summary: 'Get a product group',
      query: z.object({ upperTaxonomyCode: filter.default('root') }),
      reply: taxonomy,
      otherStatuses: [404],
    },
    40: {
      route: 'GET /stg/us/instore/noauth/taxonomyTree',
      summary: 'Get the product group tree',
      reply: taxonomy,
      otherStatuses: [404],
    },
  },
)
