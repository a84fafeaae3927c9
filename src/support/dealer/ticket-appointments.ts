import { z } from 'zod'
import { cancelTicket, rescheduleTicket } from '../../domain/dealer/ticket-appointments.ts'
import { createTicket } from '../../domain/dealer/tickets.ts'
import { generalResponse, serviceRequest } from '../../schemas/dealer/service-request.ts'
import { rescheduleDraft, ticketDraft } from '../../schemas/dealer/ticket.ts'
import { dealerOperation } from '../operation.ts'

const tag = 'Dealer Portal'

export const ticketAppointments = [
  dealerOperation({
    operation: 8,
    method: 'POST',
    path: '/stg/us/dealer/customers/ticket',
    tag,
    summary: 'Create a ticket with its appointment',
    body: ticketDraft,
    reply: serviceRequest,
    further: [201, 404],
    run: async ({ ports, caller, body }) => createTicket(ports, caller, body),
  }),

  dealerOperation({
    operation: 9,
    method: 'POST',
    path: '/stg/us/dealer/customers/ticket/reschedule',
    tag,
    summary: 'Move the appointment of a ticket',
    body: rescheduleDraft,
    reply: serviceRequest,
    further: [201, 404],
    run: async ({ ports, caller, body }) => rescheduleTicket(ports, caller, body),
  }),

  dealerOperation({
    operation: 10,
    method: 'DELETE',
    path: '/stg/us/dealer/customers/ticket/:srid',
    tag,
    summary: 'Cancel a ticket',
    params: z.object({ srid: z.string() }),
    reply: generalResponse,
    further: [204],
    run: async ({ ports, caller, params }) => cancelTicket(ports, caller, params.srid),
  }),
]
