import * as z from 'zod'
import { slotPage } from '../records/appointments/schedule.ts'
import { serviceRequest } from '../records/dealer/service-request.ts'
import { isoDate, srid, instant } from '../records/formats.ts'
import { inStoreServiceRequest } from '../records/in-store/in-store-request.ts'
import { int32, pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

/** There are moves only where `ticket-progress` is `auto`. */
export const comingMove = z.object({
  at: instant.describe("When, by the world's clock"),
  srid,
  ticketNumber: z.string().describe('Of the same request'),
  move: z
    .enum(['CONFIRMED', 'CANCELLED_BY_VENDOR', 'TECHNICIAN_LATE', 'PARTS_ORDERED', 'COMPLETED'])
    .describe('As its history will tell it'),
})
export type ComingMove = z.infer<typeof comingMove>

const params = z.object({ srid })
const reply = z.union([serviceRequest, inStoreServiceRequest])

export const ticketOperations = defineControl('Tickets', {
  confirmTicket: {
    summary: 'The service center agrees to the appointment: E0001 to E0002',
    params,
    reply,
    otherStatuses: [409],
    example: { needs: 'srid of a ticket in E0001, from listRecords' },
  },
  completeTicket: {
    summary: 'The work is done: E0002 to E0003, COMPLETED',
    params,
    reply,
    otherStatuses: [409],
    example: { needs: 'srid of a ticket in E0002, from listRecords' },
  },
})

export const progressOperations = defineControl('Tickets', {
  listMoves: {
    summary: 'What the clock does next to open requests, where `ticket-progress` is auto',
    query: paging,
    reply: pageOf(comingMove),
  },
})

export const calendarOperations = defineControl('Tickets', {
  listSlots: {
    summary: "Every slot of a service center's days, offered or over, with its bookings",
    params: z.object({ ascCode: z.string().meta({ example: 'ASC001' }) }),
    query: z.object({
      from: isoDate.optional().meta({ description: "The center's today unless told" }),
      days: int32(1, 31).default(7),
    }),
    reply: slotPage,
  },
})

export const imageOperations = defineControl('Tickets', {
  getImage: {
    summary: 'The bytes of a symptom image, as they were uploaded',
    params: z.object({ imageId: z.string() }),
    produces: ['image/jpeg', 'image/gif', 'image/bmp', 'image/png'],
    reply: z.string().meta({ format: 'binary' }),
    example: { needs: 'imageId, from operation 26' },
  },
})
