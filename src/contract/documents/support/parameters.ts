import * as z from 'zod'
import { srid } from '#contract/records/formats.ts'
import { filter } from '#contract/records/parameters.ts'

/** Metadata for parameters that vendor-cloud requires although the document declares them as optional. */
export const demanded = { requiredBy: 'our choice: required-bodies', optionalInDocument: true } as const

/** The srid parameter of operations that declare status 400. */
export const sridToLookUp = srid.meta({ choice: 'malformed-srid' })

/** `own-company.ts` checks this field before the rest of the input is validated. */
export const companyId = filter
  .optional()
  .meta({ description: 'Company of the dealer. Another company returns 403.', example: 'C100' })

export const customerNumber = z
  .string()
  .meta({ description: 'Business partner number (`bpNo`) of the customer', example: '1000000001' })

/** ID of a record in another system of the vendor, so any text is valid. */
export const sc4uObjectId = z.string().optional().describe('Ignored')
