import * as z from 'zod'
import { isoDate, srid, timeOfDay, timeZone } from '../formats.ts'
import { booking } from './appointment.ts'

/** Our choice: the sample default that the document declares. */
export const DEFAULT_MODEL = 'VM-TV55'

/** Reply of operations 16 and 25. */
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
            .meta({ description: 'With isReschedule, of a full window: your requests that may be moved within it' }),
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

const slot = z.object({
  slotId: z.string().meta({ description: 'Its id, as bookings send it' }),
  kind: z.enum(['IH', 'WI']).meta({ description: 'IH a visit at home, WI a place at the counter' }),
  date: isoDate.describe("The center's date"),
  startTime: z.string().meta({ description: "The center's local time of day" }),
  endTime: z.string().meta({ description: "The center's local time of day" }),
  capacity: z.int().describe('Places in all'),
  bookings: z.array(booking.pick({ appointmentId: true, srid: true })).describe('Places that are taken'),
})

/** Past and full slots are listed too. */
export const slotPage = z.object({
  dates: z.array(isoDate).describe('The days'),
  items: z.array(slot).describe('The slots of all days'),
  totalCount: z.int().describe('How many there are'),
})
export type SlotPage = z.infer<typeof slotPage>
