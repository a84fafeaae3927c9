import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { productCategory } from '#contract/records/guest/product-category.ts'

const id = z.string().meta({ description: 'Category ID, or ROOT for the top level', example: 'ROOT' })

export const productCategoryOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal' },
  {
    5: {
      route: 'GET /stg/us/dealer/categories/:id/children',
      summary: 'List child categories',
      params: z.object({ id }),
      reply: z.array(productCategory),
      otherStatuses: [404],
      example: { params: { id: 'ROOT' } },
    },
  },
)
