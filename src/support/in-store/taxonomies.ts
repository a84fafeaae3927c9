import { z } from 'zod'
import { lookUpTaxonomy, lookUpTaxonomyTree } from '../../domain/in-store/taxonomies.ts'
import { filter } from '../../http/input/parameters.ts'
import { taxonomy } from '../../schemas/in-store/taxonomy.ts'
import { operation, refusals, type SupportApp } from '../operation.ts'

const tags = ['In Store']

export function taxonomies(app: SupportApp): void {
  app.get('/stg/us/instore/noauth/taxonomy', {
    config: operation(39),
    schema: {
      tags,
      summary: 'Look up a product group with its children',
      querystring: z.object({ upperTaxonomyCode: filter.default('root') }),
      response: { 200: taxonomy, ...refusals(404) },
    },
    handler: async ({ ports, query }) => lookUpTaxonomy(ports, query.upperTaxonomyCode),
  })

  app.get('/stg/us/instore/noauth/taxonomyTree', {
    config: operation(40),
    schema: { tags, summary: 'Look up all product groups', response: { 200: taxonomy, ...refusals(404) } },
    handler: async ({ ports }) => lookUpTaxonomyTree(ports),
  })
}
