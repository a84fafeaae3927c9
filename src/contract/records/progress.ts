import * as z from 'zod'
import { MAX_CHANGES } from './appointments/appointment.ts'
import { instant } from './formats.ts'

export const ticketStatus = z
  .enum(['E0001', 'E0002', 'E0003'])
  .describe('E0001: open, E0002: in process, E0003: closed')
export type TicketStatus = z.infer<typeof ticketStatus>

export const closeReason = z
  .enum(['COMPLETED', 'CANCELLED', 'NO_SHOW', 'CANCELLED_BY_VENDOR'])
  .meta({ mayGrow: true, description: 'NO_SHOW: the appointment was missed and not rescheduled within 24 hours' })
export type CloseReason = z.infer<typeof closeReason>

const statusChange = z.object({
  at: instant,
  from: ticketStatus.nullable(),
  to: ticketStatus,
  reason: z.string().meta({ mayGrow: true }),
  rescheduleReasonCode: z.string().optional().describe('Reason code that was sent to operation 9'),
})

/** Generated once for each service request if the choice `ticket-progress` is `auto`. */
export const lifecycle = z.object({
  from: instant,
  /** Number of working minutes until the request is confirmed. */
  minutes: z.int().min(1).max(240),
  chance: z.enum(['PLAIN', 'PARTS', 'LATE', 'CLOSED']),
})
export type Lifecycle = z.infer<typeof lifecycle>

export const progress = z.object({
  status: ticketStatus,
  statusDesc: z.string(),
  statusReasonCode: closeReason.optional(),
  statusReasonDesc: z.string().optional(),
  history: z.array(statusChange).max(MAX_CHANGES),
})
export type Progress = z.infer<typeof progress>
