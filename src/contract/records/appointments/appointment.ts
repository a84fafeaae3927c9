import * as z from 'zod'
import { isoDate, timeOfDay, timeZone, instant, srid } from '../formats.ts'

/** A history is bounded: it has two changes for each reschedule, and few others. */
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
    description: 'MISSED: its end has passed, and nobody confirmed, rescheduled or cancelled the request',
  }),
})
export type Appointment = z.infer<typeof appointment>

/** One place taken in a slot. It exists while the appointment holds: cancelling or rescheduling deletes it. */
export const booking = z.object({
  appointmentId: z.string().describe('Id of the appointment'),
  srid,
  ascCode: z.string(),
  slotId: z.string(),
  /** A local date at the center. */
  date: isoDate,
  startsAt: instant,
  endsAt: instant,
  /** Nobody holds two overlapping bookings. A holder is `bp:{bpNo}` for dealer tickets, and the user id in store. */
  holder: z.string(),
})
export type Booking = z.infer<typeof booking>
