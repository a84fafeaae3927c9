import { z } from 'zod'

/** Which requests a fault is for; all that is given must fit. */
const match = z
  .object({
    operation: z
      .union([z.int(), z.string().max(100)])
      .optional()
      .meta({ description: "Number of document 1's table, or a name" }),
    path: z
      .string()
      .max(500)
      .optional()
      .meta({ description: "Without the world's prefix; * stands for anything", example: '/stg/us/*' }),
    soapOperation: z.enum(['createServiceToken', 'getSubscriptionStatus']).optional(),
  })
  .refine(
    (given) => Object.values(given).some((value) => value !== undefined),
    'must name operation, path or soapOperation',
  )

export const respond = z.union(
  [
    z.strictObject({ status: z.int().min(400).max(599), code: z.string().max(100).optional() }),
    z.strictObject({ fault: z.literal([10, 15, 300, 301, -1]) }),
    z.strictObject({
      resultCode: z.enum(['CMN1N1001', 'CMN1N1002', 'CMN1N1003', 'CMN2N2007', 'CMN4N8003', 'CMN5N9001']),
    }),
    z.strictObject({ reset: z.literal(true) }),
  ],
  'must be {status, code}, {fault}, {resultCode} or {reset: true}',
)
export type FaultResponse = z.infer<typeof respond>

export const faultDraft = z
  .object({
    match,
    respond: respond.optional(),
    delayMs: z
      .int()
      .min(0)
      .max(600_000)
      .optional()
      .meta({ description: 'Milliseconds of real time; alone it only delays' }),
    times: z.int().min(1).optional().meta({ description: 'How often it strikes; always, when left out' }),
    probability: z.number().min(0).max(1).optional().meta({ description: 'How likely it strikes a request that fits' }),
  })
  .refine(({ respond: reply, delayMs }) => reply ?? delayMs !== undefined, {
    message: 'is required unless delayMs is given',
    path: ['respond'],
  })
export type FaultDraft = z.infer<typeof faultDraft>

export const fault = z.object({
  ...faultDraft.shape,
  faultId: z.string(),
  struck: z.int().meta({ description: 'How often it has struck' }),
})
export type Fault = z.infer<typeof fault>
