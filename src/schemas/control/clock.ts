import { z } from 'zod'
import { findDuration } from '../duration.ts'
import { instant } from '../formats.ts'

export const clockState = z.object({
  now: instant,
  frozen: z.boolean(),
  offsetMs: z.int().meta({ description: 'World time minus real time, in milliseconds' }),
})

export const clockChange = z.object({ now: instant.optional(), frozen: z.boolean().optional() })
export type ClockChange = z.infer<typeof clockChange>

const FORWARD = 'must be an ISO 8601 duration such as P31D, or milliseconds; a clock advances forward only'

/** Forward only: `P31D`, `PT90S`, or a number of milliseconds. */
export const clockAdvance = z.object({
  duration: z.union(
    [
      z.number().min(0).max(Number.MAX_SAFE_INTEGER),
      z.string().refine((value) => findDuration(value) !== undefined || /^P(T?0+[YMWDHS])+$/.test(value), FORWARD),
    ],
    FORWARD,
  ),
})
export type ClockAdvance = z.infer<typeof clockAdvance>
