import * as z from 'zod'
import { e164, email, text } from './formats.ts'

/** An account is a web profile or an app's GUID. */
export const profile = z.object({
  /** `profile:{profId}` or `guid:{GUID}`: the two kinds of identity never meet. */
  userId: z.string().regex(/^(profile|guid):[\x20-\x7e]{1,512}$/),
  firstName: text(100),
  lastName: text(100),
  email,
  mobilePhone: e164.optional(),
  /** Only a dealer works for a company. */
  companyId: z.string().max(20).optional(),
})
export type Profile = z.infer<typeof profile>

/** Profiles see the customers, tickets and stores of their own company alone. */
export const company = z.object({ companyId: z.string().max(20), companyName: z.string() })
export type Company = z.infer<typeof company>
