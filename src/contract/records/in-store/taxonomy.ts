import * as z from 'zod'
import { isLeafFlag } from '../formats.ts'

export const taxonomyEntry = z.object({
  taxonomyCode: z.string().meta({ example: 'root' }),
  taxonomyName: z.string(),
  upperTaxonomyCode: z.string().nullable(),
  level: z.int().min(0),
  isLeafFlag,
  /** Only leaves have this field and the next three. */
  dummyModelCode: z.string().optional(),
  modelCodes: z.array(z.string()).max(1000).optional(),
  walkInFlag: z.enum(['Y', 'N']).optional(),
  mailInFlag: z.enum(['Y', 'N']).optional(),
  displayOrder: z.int(),
})
export type TaxonomyEntry = z.infer<typeof taxonomyEntry>

/** A taxonomy entry in responses: document 1, Taxonomy. */
export const taxonomy = taxonomyEntry.omit({ displayOrder: true, modelCodes: true }).extend({
  get children() {
    return z.array(taxonomy).optional()
  },
})
export type Taxonomy = z.infer<typeof taxonomy>
