import { z } from 'zod'
import { instant } from '../formats.ts'

export const workspaceName = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 of a-z 0-9 -')
  .meta({ example: 'my-test' })

export const workspaceDraft = z.object({
  name: workspaceName,
  seed: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Makes every id and token a function of it and of the calls' }),
  now: instant.optional().meta({ description: 'Where its clock starts; real time without it' }),
  expiresIn: z.number().positive().max(31_536_000).optional().meta({ description: 'Seconds of real time it lives' }),
})

export const workspace = z.object({
  name: workspaceName,
  seed: z.string().optional(),
  createdAt: instant.meta({ description: 'In real time' }),
  expiresAt: instant.optional().meta({ description: 'In real time' }),
})
export type Workspace = z.infer<typeof workspace>
