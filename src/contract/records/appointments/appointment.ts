import { z } from 'zod'
import { isoDate, timeOfDay, timeZone } from '../formats.ts'
import { mayGrow } from '../may-grow.ts'

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
    ...mayGrow,
    description: 'MISSED: its end has passed, and nobody confirmed, rescheduled or cancelled the request',
  }),
})
export type Appointment = z.infer<typeof appointment>
