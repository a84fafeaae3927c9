import { z } from 'zod'

/** What the store keeps of a taxonomy entry; its children are those that name it as upper code. */
export const taxonomyEntry = z.object({
  taxonomyCode: z.string().meta({ example: 'root' }),
  taxonomyName: z.string(),
  upperTaxonomyCode: z.string().nullable(),
  level: z.int().min(0),
  isLeafFlag: z.enum(['Y', 'N']).meta({ description: 'Y on the deepest level' }),
  /** Leaf only, as the two flags. */
  dummyModelCode: z.string().optional(),
  walkInFlag: z.enum(['Y', 'N']).optional(),
  mailInFlag: z.enum(['Y', 'N']).optional(),
  displayOrder: z.int(),
})
export type TaxonomyEntry = z.infer<typeof taxonomyEntry>

/** Document 1, Taxonomy. */
export const taxonomy = taxonomyEntry.omit({ displayOrder: true }).extend({
  get children() {
    return z.array(taxonomy)
  },
})
export type Taxonomy = z.infer<typeof taxonomy>
