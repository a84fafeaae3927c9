import * as z from 'zod'
import { isoDate, srid, timeOfDay, timeZone } from '../formats.ts'
import { booking } from './appointment.ts'

export const DEFAULT_MODEL = 'VM-TV55'

export const schedule = z.object({
  zipCode: z.string(),
  ascCode: z.string(),
  ascName: z.string(),
  timeZone,
  schedules: z.array(
    z.object({
      date: isoDate,
      slots: z.array(
        z.object({
          slotId: z.string(),
          startTime: timeOfDay,
          endTime: timeOfDay,
          available: z.boolean(),
          remaining: z.int().min(0),
          ownRequests: z
            .array(srid)
            .max(30)
            .optional()
            .describe(
              "The caller's requests that can be moved to this window. Present if the window is full and " +
                '`isReschedule` is true',
            ),
        }),
      ),
    }),
  ),
})
export type Schedule = z.infer<typeof schedule>

/** Response of operation 37: document 1, InStoreScheduleResponse. */
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

const slot = z.object({
  slotId: z.string().describe('Slot ID, as sent in bookings'),
  kind: z.enum(['IH', 'WI']).describe('IH: visit at home, WI: walk-in at the center'),
  date: isoDate.describe('Local date of the center'),
  startTime: z.string().describe('Local start time at the center'),
  endTime: z.string().describe('Local end time at the center'),
  capacity: z.int().describe('Total number of places'),
  bookings: z.array(booking.pick({ appointmentId: true, srid: true })).describe('Bookings of the slot'),
})

export const slotPage = z.object({
  dates: z.array(isoDate).describe('Selected days'),
  items: z.array(slot).describe('Slots of all days'),
  totalCount: z.int().describe('Number of slots'),
})
export type SlotPage = z.infer<typeof slotPage>
