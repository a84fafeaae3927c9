import * as z from 'zod'

const orderHelpFieldType = z
  .enum(['TEXT', 'TEXTAREA', 'SELECT', 'EMAIL', 'PHONE', 'DATE', 'FILE'])
  .meta({ mayGrow: true })

const orderHelpField = z.object({
  fieldName: z.string(),
  label: z.string(),
  type: orderHelpFieldType,
  required: z.boolean(),
  maxLength: z.int().optional(),
  options: z
    .array(z.object({ value: z.string(), label: z.string() }))
    .max(100)
    .optional(),
  displayOrder: z.int(),
})

export const contactReason = z.object({
  reasonId: z.string().meta({ example: 'ORDER_STATUS' }),
  reasonName: z.string(),
  description: z.string(),
  displayOrder: z.int(),
  orderRequired: z.boolean().describe('Whether the form asks for an order number'),
  fields: z.array(orderHelpField).max(100),
})
export type ContactReason = z.infer<typeof contactReason>

/** Response of operation 1: document 1, ContactReason. */
export const contactReasonList = z.object({ reasons: z.array(contactReason.omit({ fields: true })).max(1000) })
export type ContactReasonList = z.infer<typeof contactReasonList>

/** Response of operation 2: document 1, OrderHelpField. */
export const orderHelpForm = contactReason.pick({ reasonId: true, fields: true })
export type OrderHelpForm = z.infer<typeof orderHelpForm>
