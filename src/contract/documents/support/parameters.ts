import * as z from 'zod'
import { srid } from '#contract/records/formats.ts'
import { filter } from '#contract/records/parameters.ts'

/** The interface declares such a parameter as optional, and an answer still needs it. */
export const demanded = { requiredBy: 'our choice: required-bodies', optionalInDocument: true } as const

/** Where a 400 is declared, a malformed one gets it. */
export const sridToLookUp = srid.meta({ choice: 'malformed-srid' })

/** Another company is refused before the rest of the input is read: see `own-company.ts`. */
export const companyId = filter.optional().meta({ description: "The dealer's own company", example: 'C100' })

export const customerNumber = z.string().meta({ description: 'bpNo of the customer', example: '1000000001' })

/** Our choice: the value identifies a record in another system of the vendor, so any text is taken. */
export const sc4uObjectId = z.string().optional().meta({ description: 'Taken, and chooses nothing' })
