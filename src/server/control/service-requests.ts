import { z } from 'zod'
import { completeTicket, confirmTicket } from '../domain/control/ticket-progress.ts'
import { srid } from '../../contract/records/formats.ts'
import { inStoreServiceRequest } from '../../contract/records/in-store/in-store-request.ts'
import { serviceRequest } from '../../contract/records/dealer/service-request.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Tickets')
const params = z.object({ srid })

export const serviceRequests = [
  declare({
    operation: 'confirmTicket',
    route: 'POST /_control/tickets/:srid/confirm',
    summary: 'The service centre agrees to the appointment: E0001 to E0002',
    params,
    reply: z.union([serviceRequest, inStoreServiceRequest]),
    further: [400, 404, 409],
    run: async ({ ports, params }) => confirmTicket(ports, params.srid),
  }),

  declare({
    operation: 'completeTicket',
    route: 'POST /_control/tickets/:srid/complete',
    summary: 'The work is done: E0002 to E0003, COMPLETED',
    params,
    reply: z.union([serviceRequest, inStoreServiceRequest]),
    further: [400, 404, 409],
    run: async ({ ports, params }) => completeTicket(ports, params.srid),
  }),
]
