import { z } from 'zod'
import { completeTicket, confirmTicket } from '../domain/control/ticket-progress.ts'
import { srid } from '../schemas/formats.ts'
import { inStoreServiceRequest } from '../schemas/in-store/in-store-request.ts'
import { serviceRequest } from '../schemas/dealer/service-request.ts'
import { controlOperation } from './context.ts'

const tag = 'Tickets'
const params = z.object({ srid })

/** Dealer tickets and in-store requests alike. */
export const serviceRequests = [
  controlOperation({
    operation: 'confirmTicket',
    method: 'POST',
    path: '/_control/tickets/:srid/confirm',
    tag,
    summary: 'The service centre agrees to the appointment: E0001 to E0002',
    params,
    reply: z.union([serviceRequest, inStoreServiceRequest]),
    further: [400, 404, 409],
    run: async ({ ports, params }) => confirmTicket(ports, params.srid),
  }),

  controlOperation({
    operation: 'completeTicket',
    method: 'POST',
    path: '/_control/tickets/:srid/complete',
    tag,
    summary: 'The work is done: E0002 to E0003, COMPLETED',
    params,
    reply: z.union([serviceRequest, inStoreServiceRequest]),
    further: [400, 404, 409],
    run: async ({ ports, params }) => completeTicket(ports, params.srid),
  }),
]
