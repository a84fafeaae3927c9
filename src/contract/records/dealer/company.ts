import { z } from 'zod'

/** A dealer company: its profiles see its customers, tickets and stores, and nobody else's. */
export const company = z.object({ companyId: z.string().max(20), companyName: z.string() })
export type Company = z.infer<typeof company>
