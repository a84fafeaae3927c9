import * as z from 'zod'

const totalCount = z.int().min(0).describe('Number of matches on all pages')
const hasMore = z.boolean().describe('Whether there are more pages')

/** A page selected by offset and limit: document 1, ItemWrapper. */
export function offsetPage<I extends z.ZodType>(item: I) {
  return z.object({ items: z.array(item).max(1000), totalCount, offset: z.int(), limit: z.int(), hasMore })
}

/** A page selected by page number and size: document 1, ItemWrapper. */
export function numberedPage<I extends z.ZodType>(item: I) {
  return z.object({ items: z.array(item).max(1000), totalCount, pageNo: z.int(), size: z.int(), hasMore })
}
