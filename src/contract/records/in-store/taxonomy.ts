import { z } from 'zod'

/** The record of a taxonomy entry; its children are those that name it as upper code. */
export const taxonomyEntry = z.object({
  taxonomyCode: z.string().meta({ example: 'root' }),
  taxonomyName: z.string(),
  upperTaxonomyCode: z.string().nullable(),
  level: z.int().min(0),
  isLeafFlag: z.enum(['Y', 'N']).meta({ description: 'Y on the deepest level' }),
  /** Leaf only, as the two flags. */
  dummyModelCode: z.string().optional(),
  /** The models that stand in it, which no reply shows. */
  modelCodes: z.array(z.string()).max(1000).optional(),
  walkInFlag: z.enum(['Y', 'N']).optional(),
  mailInFlag: z.enum(['Y', 'N']).optional(),
  displayOrder: z.int(),
})
export type TaxonomyEntry = z.infer<typeof taxonomyEntry>

/** Document 1, Taxonomy. */
export const taxonomy = taxonomyEntry.omit({ displayOrder: true, modelCodes: true }).extend({
  get children() {
    return z.array(taxonomy).optional()
  },
})
export type Taxonomy = z.infer<typeof taxonomy>
