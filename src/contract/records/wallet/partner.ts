import { z } from 'zod'
import { text } from '../formats.ts'

export const MAX_PARTNER_CODE = 32

export const partner = z.object({
  partnerCode: text(MAX_PARTNER_CODE).meta({ example: 'partner-1001' }),
  name: z.string().min(1),
})
