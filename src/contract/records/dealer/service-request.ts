import * as z from 'zod'
import { appointment, MAX_RESCHEDULES } from '../appointments/appointment.ts'
import { bpNo, instant, isoDate, modelCode, srid, text, textUpTo, ticketNumber } from '../formats.ts'
import { MAX_IMAGES_PER_REQUEST, symptomImageMeta } from '../guest/symptom-image.ts'
import { offsetPage } from '../item-wrapper.ts'
import { progress, ticketStatus } from '../progress.ts'
import { customer } from './customer.ts'

const symptomChoice = z.object({ level: z.int(), code: z.string(), name: z.string() })
export type SymptomChoice = z.infer<typeof symptomChoice>

/** IH: in-home, SR: stock repair, DS: dispute. In-store requests have their own type, CI (carry-in). */
const ticketServiceType = z
  .enum(['IH', 'SR', 'DS'])
  .meta({ mayGrow: true, description: 'IH: in-home, SR: stock repair, DS: dispute' })

/** A service request in responses: document 1, ServiceRequest. It includes the fields that the client sent. */
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
  previousAppointments: z.array(appointment).max(MAX_RESCHEDULES),
  inWarranty: z.boolean(),
  images: z.array(symptomImageMeta).max(MAX_IMAGES_PER_REQUEST),
  createdAt: instant,
  updatedAt: instant,
  problemDescription: text(1000).optional(),
  purchaseDate: isoDate.optional(),
  storeNumber: textUpTo(40).optional(),
  dealerReferenceNo: textUpTo(80).optional(),
  receiptFileKey: z.string().optional(),
})
export type ServiceRequest = z.infer<typeof serviceRequest>
export const serviceRequestList = offsetPage(serviceRequest)

/** Response of operation 10: document 1, GeneralResponse. */
export const generalResponse = z.object({
  success: z.boolean(),
  code: z.string(),
  message: z.string(),
  srid,
  status: ticketStatus,
})
export type GeneralResponse = z.infer<typeof generalResponse>
