import { ticketAppointmentOperations } from '#contract/documents/support/dealer/ticket-appointments.ts'
import { cancelTicket, rescheduleTicket } from '#server/domain/dealer/ticket-appointments.ts'
import { createTicket } from '#server/domain/dealer/tickets.ts'
import { implement } from '../operation.ts'

export const ticketAppointments = implement(ticketAppointmentOperations, {
  8: async ({ ports, caller, body }) => createTicket(ports, caller, body),
  9: async ({ ports, caller, body }) => rescheduleTicket(ports, caller, body),
  10: async ({ ports, caller, params }) => cancelTicket(ports, caller, params.srid),
})
