import { z } from 'zod'

export const orderHelpFieldType = z.enum(['TEXT', 'TEXTAREA', 'SELECT', 'EMAIL', 'PHONE', 'DATE', 'FILE'])

/** Document 1, one field of OrderHelpField. */
export const orderHelpField = z.object({
  fieldName: z.string(),
  label: z.string(),
  type: orderHelpFieldType,
  required: z.boolean(),
  maxLength: z.int().optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  displayOrder: z.int(),
})

/** Why a customer asks about an order, and the form to fill in for it. */
export const contactReason = z.object({
  reasonId: z.string(),
  reasonName: z.string(),
  description: z.string(),
  displayOrder: z.int(),
  orderRequired: z.boolean(),
  fields: z.array(orderHelpField),
})
export type ContactReason = z.infer<typeof contactReason>
