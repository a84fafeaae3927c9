import * as z from 'zod'
import { isLeafFlag } from '../formats.ts'

/** A product category in responses: document 1, ProductCategory. */
export const productCategory = z.object({
  id: z.string(),
  name: z.string(),
  parentId: z.string(),
  level: z.int().min(1),
  isLeafFlag,
  subType: z.string().optional(),
  imageUrl: z.string().optional(),
})
export type ProductCategory = z.infer<typeof productCategory>

export const productCategoryRecord = productCategory.extend({ displayOrder: z.int() })
