import type { Ports } from '#server/ports.ts'
import type { ProductCategory } from '#contract/records/guest/product-category.ts'
import { notFound } from '../errors.ts'

/** Document 1, operation 5: the literal that stands for the top level. */
const ROOT = 'ROOT'

/** A category without children is a leaf with an empty list; an unknown one is not found. */
export async function listCategoryChildren({ store }: Ports, id: string): Promise<ProductCategory[]> {
  if (id !== ROOT && !(await store.productCategories.get(id)))
    throw notFound('there is no such category', 'our choice: unknown-ids')
  return store.productCategories.find({
    where: { parentId: id },
    orderBy: { field: 'displayOrder', direction: 'asc' },
  })
}
