import { z } from 'zod'
import { defineOperations } from '../../../operation.ts'
import { generalResponse, serviceRequest } from '../../../records/dealer/service-request.ts'
import { rescheduleDraft, ticketDraft } from '../../../records/dealer/ticket.ts'

export const ticketAppointmentOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal' },
  {
    8: {
      route: 'POST /stg/us/dealer/customers/ticket',
      summary: 'Create a ticket with its appointment',
      body: ticketDraft,
      reply: serviceRequest,
      further: [201, 404],
    },
    9: {
      route: 'POST /stg/us/dealer/customers/ticket/reschedule',
      summary: 'Move the appointment of a ticket',
      body: rescheduleDraft,
      reply: serviceRequest,
      further: [201, 404],
    },
    10: {
      route: 'DELETE /stg/us/dealer/customers/ticket/:srid',
      summary: 'Cancel a ticket',
      params: z.object({ srid: z.string() }),
      reply: generalResponse,
      further: [204],
    },
  },
)
