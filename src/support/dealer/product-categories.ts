import { z } from 'zod'
import { listCategoryChildren } from '../../domain/guest/product-categories.ts'
import { productCategory } from '../../schemas/guest/product-category.ts'
import { operation, refusals, type SupportApp } from '../operation.ts'

const id = z.string().meta({ description: 'The literal ROOT for the top level, or a category id', example: 'ROOT' })

export function productCategories(app: SupportApp): void {
  app.get('/stg/us/dealer/categories/:id/children', {
    config: operation(5),
    schema: {
      tags: ['Dealer Portal'],
      summary: 'List the categories below one',
      params: z.object({ id }),
      response: { 200: z.array(productCategory), ...refusals(404) },
    },
    handler: async ({ ports, params }) => listCategoryChildren(ports, params.id),
  })
}
