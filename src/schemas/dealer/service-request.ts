import { z } from 'zod'
import { customer } from './customer.ts'
import { serialNumber } from '../device-id.ts'
import {
  bpNo,
  e164,
  filledText,
  instant,
  isoDate,
  modelCode,
  srid,
  text,
  ticketNumber,
  timeOfDay,
  timeZone,
} from '../formats.ts'
import { MAX_IMAGES_PER_REQUEST, symptomImageMeta } from '../guest/symptom-image.ts'

export const ticketStatus = z
  .enum(['E0001', 'E0002', 'E0003'])
  .meta({ description: 'E0001 open, E0002 in process, E0003 closed' })
export type TicketStatus = z.infer<typeof ticketStatus>

export const statusDescriptions = {
  E0001: 'Open: appointment requested',
  E0002: 'In process: appointment confirmed',
  E0003: 'Closed',
} as const satisfies Record<TicketStatus, string>

export const closeReason = z.enum(['COMPLETED', 'CANCELLED'])
export type CloseReason = z.infer<typeof closeReason>

export const closeReasonDescriptions = {
  COMPLETED: 'The service was completed',
  CANCELLED: 'The request was cancelled',
} as const satisfies Record<CloseReason, string>

/** A closed request says how it ended. */
export function describeStatus(status: TicketStatus, closeReason?: CloseReason): string {
  return statusDescriptions[status] + (closeReason ? `: ${closeReason.toLowerCase()}` : '')
}

export const appointment = z.object({
  appointmentId: z.string().meta({ example: 'A-7Q2M4K9T' }),
  date: isoDate,
  startTime: timeOfDay,
  endTime: timeOfDay,
  timeZone,
  status: z
    .enum(['REQUESTED', 'CONFIRMED', 'RESCHEDULED', 'CANCELLED', 'COMPLETED', 'MISSED'])
    .meta({ description: 'MISSED: its end has passed, and nobody completed or cancelled the request' }),
})
export type Appointment = z.infer<typeof appointment>

export const statusChange = z.object({
  at: instant,
  from: ticketStatus.nullable(),
  to: ticketStatus,
  reason: z.string(),
})

/** How a request stands: shared by dealer tickets and in-store requests. */
export const progress = z.object({
  status: ticketStatus,
  statusDesc: z.string(),
  statusReasonCode: closeReason.optional(),
  statusReasonDesc: z.string().optional(),
  history: z.array(statusChange).max(1000),
})
export type Progress = z.infer<typeof progress>

export const symptomChoice = z.object({ level: z.int(), code: z.string(), description: z.string() })
export type SymptomChoice = z.infer<typeof symptomChoice>

/** IH in-home, SR stock repair, DS dispute (CI, carry-in, is an in-store request). */
export const ticketServiceType = z.enum(['IH', 'SR', 'DS'])

/** Document 1, ServiceRequest. */
export const serviceRequest = progress.extend({
  srid,
  ticketNumber,
  serviceType: ticketServiceType,
  bpNo,
  companyId: z.string(),
  customer,
  modelCode,
  serialNumber: z.string(),
  symptoms: z.array(symptomChoice).max(10),
  ascCode: z.string().optional(),
  ascName: z.string().optional(),
  appointment: appointment.optional(),
  previousAppointments: z.array(appointment).max(1000),
  inWarranty: z.boolean(),
  images: z.array(symptomImageMeta).max(MAX_IMAGES_PER_REQUEST),
  createdAt: instant,
  updatedAt: instant,
})
export type ServiceRequest = z.infer<typeof serviceRequest>

/**
 * What the store keeps: what was sent along stays with the ticket, and the phone number is a filter of operation 19.
 */
export const ticket = serviceRequest.extend({
  phoneNumber: e164,
  problemDescription: text(1000).optional(),
  purchaseDate: isoDate.optional(),
  storeNumber: z.string().max(40).optional(),
  dealerReferenceNo: z.string().max(80).optional(),
  receiptFileKey: z.string().optional(),
  rescheduleReasonCode: z.string().optional(),
})
export type Ticket = z.infer<typeof ticket>

/** Fields that operation 19 sorts by; each has an index. */
export const ticketSortFields = [
  'createdAt',
  'updatedAt',
  'srid',
  'ticketNumber',
  'status',
  'serviceType',
  'modelCode',
  'bpNo',
] as const
export type TicketSortField = (typeof ticketSortFields)[number]

/** Body of operation 8. */
export const ticketDraft = z.object({
  bpNo,
  companyId: z.string().optional(),
  modelCode,
  serialNumber,
  serviceType: z.enum(['IH', 'SR']),
  symCode1: text(40),
  symCode2: text(40),
  symCode3: text(40).optional(),
  problemDescription: filledText(1000),
  purchaseDate: isoDate.optional(),
  ascCode: text(20),
  appointmentDate: isoDate,
  timeSlot: text(60).meta({ description: 'A slotId of operation 16' }),
  storeNumber: text(40).optional(),
  dealerReferenceNo: text(80).optional(),
})
export type TicketDraft = z.infer<typeof ticketDraft>

/** Body of operation 9. */
export const rescheduleDraft = z.object({
  srid: z.string(),
  companyId: z.string().optional(),
  appointmentDate: isoDate,
  timeSlot: text(60).meta({ description: 'A slotId of operation 16' }),
  rescheduleReasonCode: filledText(40),
})
export type RescheduleDraft = z.infer<typeof rescheduleDraft>

/** Body of operation 15: document 1, section 2, all five required. */
const inDispute = { requiredBy: 'document 1, section 2' }
export const disputeDraft = z.object({
  serial: text(40).meta(inDispute),
  modelCode: modelCode.meta(inDispute),
  bpNo: bpNo.meta(inDispute),
  receiptFileKey: text(200).meta({ ...inDispute, example: 'receipt-0001' }),
  purchaseDate: isoDate.meta(inDispute),
})
export type DisputeDraft = z.infer<typeof disputeDraft>

/** Document 1, GeneralResponse: the reply of operation 10. */
export const generalResponse = z.object({
  success: z.boolean(),
  code: z.string(),
  message: z.string(),
  srid,
  status: ticketStatus,
})
export type GeneralResponse = z.infer<typeof generalResponse>
