import { z } from 'zod'
import { completeTicket, confirmTicket } from '../domain/control/ticket-progress.ts'
import { errorBody } from '../http/json-errors.ts'
import { srid } from '../schemas/formats.ts'
import { inStoreServiceRequest } from '../schemas/in-store/in-store-request.ts'
import { serviceRequest } from '../schemas/dealer/service-request.ts'
import type { ControlApp } from './context.ts'

/** Dealer tickets and in-store requests alike. */
export function serviceRequests(app: ControlApp): void {
  const tags = ['Tickets']
  const params = z.object({ srid })
  const response = {
    200: z.union([serviceRequest, inStoreServiceRequest]),
    400: errorBody,
    403: errorBody,
    404: errorBody,
    409: errorBody,
  }

  app.post('/_control/tickets/:srid/confirm', {
    config: { operation: 'confirmTicket' },
    schema: { tags, summary: 'The service centre agrees to the appointment: E0001 to E0002', params, response },
    handler: async ({ ports, params }) => confirmTicket(ports, params.srid),
  })

  app.post('/_control/tickets/:srid/complete', {
    config: { operation: 'completeTicket' },
    schema: { tags, summary: 'The work is done: E0002 to E0003, COMPLETED', params, response },
    handler: async ({ ports, params }) => completeTicket(ports, params.srid),
  })
}
