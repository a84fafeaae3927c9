import { productCategoryOperations } from '#contract/documents/support/dealer/product-categories.ts'
import { listCategoryChildren } from '#server/domain/guest/product-categories.ts'
import { implement } from '../operation.ts'

export const productCategories = implement(productCategoryOperations, {
  5: async ({ ports, params }) => listCategoryChildren(ports, params.id),
})
