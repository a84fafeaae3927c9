import * as z from 'zod'
import { findDuration } from '../duration.ts'
import { instant } from '../formats.ts'

/** Within these limits, every date that is calculated from the clock has a four-digit year. */
const CLOCK_FROM = Date.UTC(2000, 0, 1)
const CLOCK_TO = Date.UTC(9000, 11, 31, 23, 59, 59, 999)
export const CLOCK_RANGE = 'must be from 2000-01-01 to 9000-12-31'

export function isClockTime(at: number): boolean {
  return at >= CLOCK_FROM && at <= CLOCK_TO
}

export const clockInstant = instant.refine((text) => isClockTime(Date.parse(text)), CLOCK_RANGE)

export const clockState = z.object({
  now: instant.describe('Time of the world (ISO 8601)'),
  frozen: z.boolean().describe('Whether the clock is paused'),
  offsetMs: z.int().describe('World time minus real time in milliseconds. 0 while the clock is paused.'),
})
export type ClockState = z.infer<typeof clockState>

export const clockMove = clockState.extend({
  due: z
    .int()
    .describe(
      'Number of scenario steps, steps of the simulation, and token expiries that ended a stream in the skipped ' +
        'time. Renewals of subscriptions and visits are not counted.',
    ),
  dueTasks: z
    .array(z.object({ at: instant.describe('Due time'), what: z.string().describe('Event that was due') }))
    .max(100)
    .describe('First 100 events that were due, in order'),
})
export type ClockMove = z.infer<typeof clockMove>

export const clockChange = z.strictObject({ now: clockInstant.optional(), frozen: z.boolean().optional() })

const FORWARD =
  'must be an ISO 8601 duration such as P31D, at most P999Y, or whole milliseconds; a clock advances forward only'

export const clockAdvance = z.strictObject({
  duration: z
    .union(
      [
        z.int().min(0),
        z.string().refine((value) => findDuration(value) !== undefined || /^P(T?0+[YMWDHS])+$/.test(value), FORWARD),
      ],
      FORWARD,
    )
    .describe('ISO 8601 duration such as P31D (string), or milliseconds (number)'),
})
