import * as z from 'zod'

const totalCount = z.int().min(0).meta({ description: 'How many match, on all pages' })
const hasMore = z.boolean().meta({ description: 'Whether more follow this page' })

const number = z.int().optional()

/** Document 1, ItemWrapper: what all lists have. */
export const itemWrapper = z.object({
  items: z.array(z.unknown()).max(1000),
  totalCount,
  hasMore,
  offset: number,
  limit: number,
  pageNo: number,
  size: number,
})

/** The reply has its own schema, and the description also says that it is an ItemWrapper. */
const isItemWrapper = { allOf: [{ $ref: '#/components/schemas/ItemWrapper' }] }

/** Document 1, ItemWrapper, of a list that is paged by offset and limit. */
export function offsetPage<I extends z.ZodType>(item: I) {
  return z
    .object({ items: z.array(item).max(1000), totalCount, offset: z.int(), limit: z.int(), hasMore })
    .meta(isItemWrapper)
}

/** Document 1, ItemWrapper, of a list that is paged by page number and size. */
export function numberedPage<I extends z.ZodType>(item: I) {
  return z
    .object({ items: z.array(item).max(1000), totalCount, pageNo: z.int(), size: z.int(), hasMore })
    .meta(isItemWrapper)
}
