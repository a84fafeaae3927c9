import { z } from 'zod'
import { instant, srid } from '../formats.ts'

/** What the clock does next to a request, where `ticket-progress` is `auto`. */
export const comingMove = z.object({
  at: instant.describe("When, by the world's clock"),
  srid,
  ticketNumber: z.string(),
  move: z.enum(['CONFIRMED', 'CANCELLED_BY_VENDOR', 'TECHNICIAN_LATE', 'PARTS_ORDERED', 'COMPLETED']),
})
export type ComingMove = z.infer<typeof comingMove>
