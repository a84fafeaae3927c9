import * as z from 'zod'
import { isoDate, timeOfDay, timeZone, instant, srid } from '../formats.ts'

/** Limits the length of the history. Each reschedule adds two changes, and there are few other changes. */
export const MAX_RESCHEDULES = 1000
export const MAX_CHANGES = 2 * MAX_RESCHEDULES + 5

export const appointment = z.object({
  appointmentId: z.string().meta({ example: 'A-7Q2M4K9T' }),
  date: isoDate,
  startTime: timeOfDay,
  endTime: timeOfDay,
  timeZone,
  status: z.enum(['REQUESTED', 'CONFIRMED', 'RESCHEDULED', 'CANCELLED', 'COMPLETED', 'MISSED']).meta({
    mayGrow: true,
    description: 'MISSED: the appointment ended before it was confirmed, rescheduled or cancelled',
  }),
})
export type Appointment = z.infer<typeof appointment>

/** One booked place in a slot. The record is deleted when the appointment is cancelled or rescheduled. */
export const booking = z.object({
  appointmentId: z.string().describe('ID of the appointment'),
  srid,
  ascCode: z.string(),
  slotId: z.string(),
  date: isoDate,
  startsAt: instant,
  endsAt: instant,
  /** `bp:{bpNo}` or a user ID. Bookings of the same holder must not overlap. */
  holder: z.string(),
})
export type Booking = z.infer<typeof booking>
