import { z } from 'zod'

/** Profiles see the customers, tickets and stores of their own company alone. */
export const company = z.object({ companyId: z.string().max(20), companyName: z.string() })
export type Company = z.infer<typeof company>
