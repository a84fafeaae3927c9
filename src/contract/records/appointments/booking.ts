import { z } from 'zod'
import { instant, isoDate, srid } from '../formats.ts'

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
