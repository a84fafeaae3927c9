import { z } from 'zod'
import { listCategoryChildren } from '../../domain/guest/product-categories.ts'
import { productCategory } from '../../../contract/records/guest/product-category.ts'
import { dealerOperation } from '../operation.ts'

const id = z.string().meta({ description: 'The literal ROOT for the top level, or a category id', example: 'ROOT' })

export const productCategories = [
  dealerOperation({
    operation: 5,
    route: 'GET /stg/us/dealer/categories/:id/children',
    summary: 'List the categories below one',
    params: z.object({ id }),
    reply: z.array(productCategory),
    further: [404],
    run: async ({ ports, params }) => listCategoryChildren(ports, params.id),
  }),
]
