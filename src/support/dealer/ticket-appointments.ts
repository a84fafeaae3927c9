import { z } from 'zod'
import { cancelTicket, rescheduleTicket } from '../../domain/dealer/ticket-appointments.ts'
import { createTicket } from '../../domain/dealer/tickets.ts'
import { noContent } from '../../http/zod.ts'
import { generalResponse, serviceRequest } from '../../schemas/dealer/service-request.ts'
import { rescheduleDraft, ticketDraft } from '../../schemas/dealer/ticket.ts'
import { dealerOf } from '../identity.ts'
import { operation, refusals, type SupportApp } from '../operation.ts'

const tags = ['Dealer Portal']

export function ticketAppointments(app: SupportApp): void {
  app.post('/stg/us/dealer/customers/ticket', {
    config: operation(8),
    schema: {
      tags,
      summary: 'Create a ticket with its appointment',
      body: ticketDraft,
      response: { 200: serviceRequest, ...refusals(404) },
    },
    handler: async (request) => createTicket(request.ports, dealerOf(request), request.body),
  })

  app.post('/stg/us/dealer/customers/ticket/reschedule', {
    config: operation(9),
    schema: {
      tags,
      summary: 'Move the appointment of a ticket',
      body: rescheduleDraft,
      response: { 200: serviceRequest, ...refusals(404) },
    },
    handler: async (request) => rescheduleTicket(request.ports, dealerOf(request), request.body),
  })

  app.delete('/stg/us/dealer/customers/ticket/:srid', {
    config: operation(10),
    schema: {
      tags,
      summary: 'Cancel a ticket',
      params: z.object({ srid: z.string() }),
      response: { 200: generalResponse, 204: noContent, ...refusals() },
    },
    handler: async (request, reply) => {
      const answer = await cancelTicket(request.ports, dealerOf(request), request.params.srid)
      return answer ?? reply.code(204).send(undefined)
    },
  })
}
