import { productColorOperations } from '#contract/documents/support/product-colors.ts'
import { listColors } from '../domain/guest/product-colors.ts'
import { implement } from './operation.ts'

export const productColors = implement(productColorOperations, {
  28: async ({ ports, query }) => listColors(ports, query.modelCode),
})
