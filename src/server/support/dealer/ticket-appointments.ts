import { z } from 'zod'
import { cancelTicket, rescheduleTicket } from '../../domain/dealer/ticket-appointments.ts'
import { createTicket } from '../../domain/dealer/tickets.ts'
import { generalResponse, serviceRequest } from '../../../contract/records/dealer/service-request.ts'
import { rescheduleDraft, ticketDraft } from '../../../contract/records/dealer/ticket.ts'
import { dealerOperation } from '../operation.ts'

export const ticketAppointments = [
  dealerOperation({
    operation: 8,
    route: 'POST /stg/us/dealer/customers/ticket',
    summary: 'Create a ticket with its appointment',
    body: ticketDraft,
    reply: serviceRequest,
    further: [201, 404],
    run: async ({ ports, caller, body }) => createTicket(ports, caller, body),
  }),

  dealerOperation({
    operation: 9,
    route: 'POST /stg/us/dealer/customers/ticket/reschedule',
    summary: 'Move the appointment of a ticket',
    body: rescheduleDraft,
    reply: serviceRequest,
    further: [201, 404],
    run: async ({ ports, caller, body }) => rescheduleTicket(ports, caller, body),
  }),

  dealerOperation({
    operation: 10,
    route: 'DELETE /stg/us/dealer/customers/ticket/:srid',
    summary: 'Cancel a ticket',
    params: z.object({ srid: z.string() }),
    reply: generalResponse,
    further: [204],
    run: async ({ ports, caller, params }) => cancelTicket(ports, caller, params.srid),
  }),
]
