import * as z from 'zod'
import { serialNumber } from '../device-id.ts'
import { bpNo, e164, filledText, isoDate, modelCode, text } from '../formats.ts'
import { course } from '../progress.ts'
import { serviceRequest } from './service-request.ts'

/** The phone number stands beside the record because operation 19 filters by it. */
export const ticket = serviceRequest.extend({ phoneNumber: e164, course: course.optional() })
export type Ticket = z.infer<typeof ticket>

/** Each field has an index, so that sorting by it costs no scan. */
export const ticketOrders = [
  'createdAt',
  'updatedAt',
  'srid',
  'ticketNumber',
  'status',
  'serviceType',
  'modelCode',
  'bpNo',
] as const

const scalars = serviceRequest.omit({
  customer: true,
  symptoms: true,
  appointment: true,
  previousAppointments: true,
  images: true,
  history: true,
})
export const ticketSortFields = Object.keys(scalars.shape) as (keyof typeof scalars.shape)[]
export type TicketSortField = (typeof ticketSortFields)[number]

const isDealerTicket = { allOf: [{ $ref: '#/components/schemas/DealerTicket' }] }

/** Body of operation 8. */
export const ticketDraft = z
  .object({
    bpNo,
    companyId: z.string().optional(),
    modelCode,
    serialNumber,
    serviceType: z.enum(['IH', 'SR']),
    symCode1: text(40),
    symCode2: text(40).optional(),
    symCode3: text(40).optional(),
    problemDescription: filledText(1000),
    purchaseDate: isoDate.optional(),
    ascCode: text(20),
    appointmentDate: isoDate,
    timeSlot: text(60).meta({ description: 'A slotId of operation 16' }),
    storeNumber: text(40).optional().meta({ description: 'A store of the company, as operation 17 lists them' }),
    dealerReferenceNo: text(80).optional(),
  })
  .meta(isDealerTicket)
export type TicketDraft = z.infer<typeof ticketDraft>

/** Body of operation 9. */
export const rescheduleDraft = z
  .object({
    srid: z.string(),
    companyId: z.string().optional(),
    appointmentDate: isoDate,
    timeSlot: text(60).meta({ description: 'A slotId of operation 16' }),
    rescheduleReasonCode: filledText(40).optional(),
  })
  .meta(isDealerTicket)
export type RescheduleDraft = z.infer<typeof rescheduleDraft>

/** Document 1's DealerTicket has the fields of both bodies; each operation says what it requires. */
export const dealerTicket = z.object({ ...ticketDraft.shape, ...rescheduleDraft.shape }).partial()
