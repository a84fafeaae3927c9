import * as z from 'zod'
import {
  e164,
  email,
  filledText,
  instant,
  isoDate,
  modelCode,
  srid,
  text,
  ticketNumber,
  timeOfDay,
  zipCodeOrZip4,
} from '../formats.ts'
import { appointment } from '../appointments/appointment.ts'
import { imei, serialNumber } from '../device-id.ts'
import { MAX_IMAGES_PER_REQUEST, symptomImageMeta } from '../guest/symptom-image.ts'
import { lifecycle, progress } from '../progress.ts'

const requested = {
  ascType: text(20).meta({ example: 'WALKIN' }),
  ascCode: text(20).meta({ example: 'ASC001' }),
  appointmentDate: isoDate,
  startTime: timeOfDay,
  symptoms: z.array(text(40)).min(1).max(5).describe('Symptom IDs from operation 38'),
  modelCode: modelCode.optional(),
  taxonomyCode: text(40).optional(),
  firstName: filledText(100),
  lastName: filledText(100),
  email,
  zipCode: zipCodeOrZip4,
  serialNumber: serialNumber.optional(),
  imei: imei.optional(),
  sc4uObjectId: text(100).optional(),
  problemDescription: text(1000).optional(),
  remoteId: text(100).optional(),
}

/** Body of operation 33: document 1, InStoreServiceRequest. */
export const inStoreDraft = z
  .object({
    ...requested,
    // The domain validates this field. If the phone number is not needed, it is ignored, even if it is malformed.
    mobilePhone: z
      .unknown()
      .optional()
      .meta({
        description: 'Mobile phone number. Required if the user profile has none (operation 32), otherwise ignored.',
        openapi: { type: 'string' },
        example: '201-555-0143',
      }),
  })
  .refine((draft) => draft.modelCode !== undefined || draft.taxonomyCode !== undefined, {
    message: 'or body.taxonomyCode is required',
    params: { source: 'our choice: in-store-fields' },
    path: ['modelCode'],
    // This check runs even if other fields are invalid, so that one response reports all errors.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
export type InStoreDraft = z.infer<typeof inStoreDraft>

const inStoreSite = z.object({
  ascCode: z.string(),
  ascType: z.string().meta({ mayGrow: true }),
  ascName: z.string(),
  phoneNumber: z.string(),
  address1: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  timeZone: z.string(),
})

/** Document 1, InStoreServiceRequestResponse. The cancellation key is only in the email. */
export const inStoreServiceRequest = progress.extend({
  ...requested,
  mobilePhone: e164.optional(),
  srid,
  ticketNumber,
  serviceType: z.literal('CI').describe('CI: carry-in'),
  registered: z.boolean(),
  store: inStoreSite,
  appointment,
  images: z.array(symptomImageMeta).max(MAX_IMAGES_PER_REQUEST),
  createdAt: instant,
  updatedAt: instant,
})

export const inStoreRequest = inStoreServiceRequest.extend({
  userId: z.string(),
  cancelKeyDigest: z.string().optional(),
  lifecycle: lifecycle.optional(),
})
export type InStoreRequest = z.infer<typeof inStoreRequest>
