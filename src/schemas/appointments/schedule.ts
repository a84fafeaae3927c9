import { z } from 'zod'
import { isoDate, timeOfDay, timeZone } from '../formats.ts'

/** Reply of operations 16 and 25. */
export const schedule = z.object({
  zipCode: z.string(),
  ascCode: z.string(),
  ascName: z.string(),
  timeZone,
  schedules: z.array(
    z.object({
      date: isoDate,
      timeSlots: z.array(
        z.object({
          slotId: z.string(),
          from: timeOfDay,
          to: timeOfDay,
          available: z.boolean(),
          remaining: z.int().min(0),
        }),
      ),
    }),
  ),
})
export type Schedule = z.infer<typeof schedule>

/** Document 1, InStoreScheduleResponse. */
export const inStoreSchedule = z.object({
  ascCode: z.string(),
  ascType: z.string(),
  timeZone,
  start: isoDate,
  end: isoDate,
  schedule: z.array(
    z.object({
      date: isoDate,
      slots: z.array(z.object({ startTime: timeOfDay, endTime: timeOfDay, capacity: z.int(), remaining: z.int() })),
    }),
  ),
})
export type InStoreSchedule = z.infer<typeof inStoreSchedule>
