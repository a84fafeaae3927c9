import { z } from 'zod'
import { instant, srid } from '../formats.ts'

/** Requests move by the clock only where `ticket-progress` is `auto`. */
export const comingMove = z.object({
  at: instant.describe("When, by the world's clock"),
  srid,
  ticketNumber: z.string().describe('Of the same request'),
  move: z
    .enum(['CONFIRMED', 'CANCELLED_BY_VENDOR', 'TECHNICIAN_LATE', 'PARTS_ORDERED', 'COMPLETED'])
    .describe('As its history will tell it'),
})
export type ComingMove = z.infer<typeof comingMove>
