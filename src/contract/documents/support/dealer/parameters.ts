import { z } from 'zod'
import { filter } from '#contract/records/parameters.ts'

/** Another company is refused before the rest of the input is read: see `own-company.ts`. */
export const companyId = filter.optional().meta({ description: "The dealer's own company", example: 'C100' })

export const customerNumber = z.string().meta({ description: 'bpNo of the customer', example: '1000000001' })
