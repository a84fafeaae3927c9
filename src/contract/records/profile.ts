import * as z from 'zod'
import { e164, email, text } from './formats.ts'

export const profile = z.object({
  /** User ID: `profile:{profId}` or `guid:{GUID}`. */
  userId: z.string().regex(/^(profile|guid):[\x20-\x7e]{1,512}$/),
  firstName: text(100),
  lastName: text(100),
  email,
  mobilePhone: e164.optional(),
  companyId: z.string().max(20).optional(),
})
export type Profile = z.infer<typeof profile>

/** Dealers have access only to the customers, tickets and stores of their company. */
export const company = z.object({ companyId: z.string().max(20), companyName: z.string() })
export type Company = z.infer<typeof company>
