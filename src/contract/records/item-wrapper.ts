import * as z from 'zod'

const totalCount = z.int().min(0).meta({ description: 'How many match, on all pages' })
const hasMore = z.boolean().meta({ description: 'Whether more follow this page' })

/** Document 1, ItemWrapper, of a list that is paged by offset and limit. */
export function offsetPage<I extends z.ZodType>(item: I) {
  return z.object({ items: z.array(item).max(1000), totalCount, offset: z.int(), limit: z.int(), hasMore })
}

/** Document 1, ItemWrapper, of a list that is paged by page number and size. */
export function numberedPage<I extends z.ZodType>(item: I) {
  return z.object({ items: z.array(item).max(1000), totalCount, pageNo: z.int(), size: z.int(), hasMore })
}
