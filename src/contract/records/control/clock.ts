import * as z from 'zod'
import { findDuration } from '../duration.ts'
import { instant } from '../formats.ts'

/** Our choice: from here on every date and period of the documents can be computed within four digits of a year. */
const CLOCK_FROM = Date.UTC(2000, 0, 1)
const CLOCK_TO = Date.UTC(9000, 11, 31, 23, 59, 59, 999)
export const CLOCK_RANGE = 'must be from 2000-01-01 to 9000-12-31'

export function isClockTime(at: number): boolean {
  return at >= CLOCK_FROM && at <= CLOCK_TO
}

export const clockInstant = instant.refine((text) => isClockTime(Date.parse(text)), CLOCK_RANGE)

export const clockState = z.object({
  now: instant.meta({ description: "The world's time, ISO 8601" }),
  frozen: z.boolean().meta({ description: 'Whether it stands' }),
  offsetMs: z.int().meta({ description: 'World time minus real time, in milliseconds; 0 while the clock stands' }),
})
export type ClockState = z.infer<typeof clockState>

export const clockMove = clockState.extend({
  due: z.int().meta({ description: 'How many things fell due on the way: steps of scenarios, ends of tokens' }),
  fellDue: z
    .array(z.object({ at: instant.describe('When it was due'), what: z.string().describe('What it was') }))
    .max(100)
    .meta({ description: 'The first 100 of them, in their order' }),
})
export type ClockMove = z.infer<typeof clockMove>

export const clockChange = z.strictObject({ now: clockInstant.optional(), frozen: z.boolean().optional() })

const FORWARD =
  'must be an ISO 8601 duration such as P31D, at most P999Y, or whole milliseconds; a clock advances forward only'

/** Forward only: `P31D`, `PT90S`, or a number of milliseconds. */
export const clockAdvance = z.strictObject({
  duration: z
    .union(
      [
        z.int().min(0),
        z.string().refine((value) => findDuration(value) !== undefined || /^P(T?0+[YMWDHS])+$/.test(value), FORWARD),
      ],
      FORWARD,
    )
    .describe('An ISO 8601 duration, or whole milliseconds'),
})
