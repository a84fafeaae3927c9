import * as z from 'zod'
import { serialNumber } from '../device-id.ts'
import { bpNo, e164, filledText, isoDate, modelCode, text } from '../formats.ts'
import { lifecycle } from '../progress.ts'
import { serviceRequest } from './service-request.ts'

/** A ticket as it is stored. It contains `phoneNumber`, because operation 19 filters by that field. */
export const ticket = serviceRequest.extend({ phoneNumber: e164, lifecycle: lifecycle.optional() })
export type Ticket = z.infer<typeof ticket>

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

export const ticketDraft = z
  .object({
    bpNo,
    companyId: z.string().optional(),
    modelCode,
    serialNumber,
    serviceType: z.enum(['IH', 'SR']).describe('IH: in-home, SR: stock repair'),
    symCode1: text(40),
    symCode2: text(40).optional(),
    symCode3: text(40).optional(),
    problemDescription: filledText(1000),
    purchaseDate: isoDate.optional(),
    ascCode: text(20),
    appointmentDate: isoDate,
    timeSlot: text(60).describe('`slotId` from operation 16'),
    storeNumber: text(40).optional().describe('Number of a store of the company, see operation 17'),
    dealerReferenceNo: text(80).optional(),
  })
  .meta(isDealerTicket)
export type TicketDraft = z.infer<typeof ticketDraft>

export const rescheduleDraft = z
  .object({
    srid: z.string(),
    companyId: z.string().optional(),
    appointmentDate: isoDate,
    timeSlot: text(60).describe('`slotId` from operation 16'),
    rescheduleReasonCode: filledText(40).optional(),
  })
  .meta(isDealerTicket)
export type RescheduleDraft = z.infer<typeof rescheduleDraft>

/** DealerTicket in document 1 combines the fields of the draft and of the reschedule body. */
export const dealerTicket = z.object({ ...ticketDraft.shape, ...rescheduleDraft.shape }).partial()
