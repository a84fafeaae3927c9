import { z } from 'zod'
import { instant, isoDate, srid } from '../formats.ts'

/** One place taken in a slot. It exists while the appointment holds: cancelling or rescheduling deletes it. */
export const booking = z.object({
  appointmentId: z.string().describe('Id of the appointment'),
  srid,
  ascCode: z.string(),
  slotId: z.string(),
  /** The center's local date. */
  date: isoDate,
  startsAt: instant,
  endsAt: instant,
  /** The holder of no two overlapping bookings: `bp:{bpNo}` for dealer tickets, the user id in store. */
  holder: z.string(),
})
export type Booking = z.infer<typeof booking>
