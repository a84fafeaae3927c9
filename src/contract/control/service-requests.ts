import { z } from 'zod'
import { serviceRequest } from '../records/dealer/service-request.ts'
import { srid } from '../records/formats.ts'
import { inStoreServiceRequest } from '../records/in-store/in-store-request.ts'
import { defineControl } from './define.ts'

const params = z.object({ srid })
const reply = z.union([serviceRequest, inStoreServiceRequest])

export const ticketOperations = defineControl('Tickets', {
  confirmTicket: {
    summary: 'The service centre agrees to the appointment: E0001 to E0002',
    params,
    reply,
    further: [400, 404, 409],
    example: { needs: 'srid of a ticket in E0001, from listRecords' },
  },
  completeTicket: {
    summary: 'The work is done: E0002 to E0003, COMPLETED',
    params,
    reply,
    further: [400, 404, 409],
    example: { needs: 'srid of a ticket in E0002, from listRecords' },
  },
})
