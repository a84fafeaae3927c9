import * as z from 'zod'
import { slotPage } from '../records/appointments/schedule.ts'
import { serviceRequest } from '../records/dealer/service-request.ts'
import { isoDate, srid, instant } from '../records/formats.ts'
import { inStoreServiceRequest } from '../records/in-store/in-store-request.ts'
import { int32, pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

export const comingMove = z.object({
  at: instant.describe('Time of the change (world clock)'),
  srid,
  ticketNumber: z.string().describe('Ticket number of the request'),
  move: z
    .enum(['CONFIRMED', 'CANCELLED_BY_VENDOR', 'TECHNICIAN_LATE', 'PARTS_ORDERED', 'COMPLETED'])
    .describe('Change that is added to the history of the request'),
})
export type ComingMove = z.infer<typeof comingMove>

const params = z.object({ srid })
const reply = z.union([serviceRequest, inStoreServiceRequest])

export const ticketOperations = defineControl('Tickets', {
  confirmTicket: {
    summary: 'Confirm an appointment',
    description: 'Changes the status of the service request from E0001 to E0002.',
    params,
    reply,
    otherStatuses: [409],
    example: { needs: 'srid of a ticket in E0001, from listRecords' },
  },
  completeTicket: {
    summary: 'Complete a service request',
    description: 'Changes the status of the service request from E0002 to E0003, with the reason COMPLETED.',
    params,
    reply,
    otherStatuses: [409],
    example: { needs: 'srid of a ticket in E0002, from listRecords' },
  },
})

export const progressOperations = defineControl('Tickets', {
  listMoves: {
    summary: 'List upcoming status changes',
    description: 'The next change of each open request if `ticket-progress` is `auto`. Otherwise the list is empty.',
    query: paging,
    reply: pageOf(comingMove),
  },
})

export const calendarOperations = defineControl('Tickets', {
  listSlots: {
    summary: 'List slots of a service center',
    description: 'All slots of the selected days with their bookings, including past and full slots.',
    params: z.object({ ascCode: z.string().meta({ example: 'ASC001' }) }),
    query: z.object({
      from: isoDate.optional().describe('First day. Default: today in the time zone of the center.'),
      days: int32(1, 31).default(7).describe('Number of days'),
    }),
    reply: slotPage,
  },
})

export const imageOperations = defineControl('Tickets', {
  getImage: {
    summary: 'Get a symptom image',
    params: z.object({ imageId: z.string() }),
    produces: ['image/jpeg', 'image/gif', 'image/bmp', 'image/png'],
    reply: z.string().meta({ format: 'binary' }),
    example: { needs: 'imageId, from operation 26' },
  },
})
