import { z } from 'zod'

export const MAX_PARTNER_CODE = 32

/** A partner system that may ask about devices. */
export const partner = z.object({
  partnerCode: z.string().min(1).max(MAX_PARTNER_CODE).meta({ example: 'partner-1001' }),
  name: z.string().min(1),
})
export type Partner = z.infer<typeof partner>
