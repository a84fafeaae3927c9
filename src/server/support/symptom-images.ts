import { z } from 'zod'
import { uploadSymptomImage } from '../domain/guest/symptom-images.ts'
import { srid, ticketNumber } from '../../contract/records/formats.ts'
import { IMAGE_SIZE_LIMIT, symptomImageForm, symptomImageMeta } from '../../contract/records/guest/symptom-image.ts'
import { guestOperations } from './operation.ts'

const declare = guestOperations('Symptom Image')

const imageQuery = z
  .object({ srid: srid.optional(), ticketNumber: ticketNumber.optional() })
  .refine((query) => query.srid !== undefined || query.ticketNumber !== undefined, {
    message: 'or query.ticketNumber is required',
    path: ['srid'],
  })

export const symptomImages = [
  declare({
    operation: 26,
    route: 'POST /stg/us/guest/serviceRequest/asset/symptomImage',
    summary: 'Upload an image of a symptom to a service request',
    consumes: ['multipart/form-data'],
    query: imageQuery,
    form: { field: 'imageFile', sizeLimit: IMAGE_SIZE_LIMIT },
    body: symptomImageForm,
    optionalBody: true,
    reply: symptomImageMeta,
    further: [201, 404],
    run: async ({ ports, caller, query, body }) => uploadSymptomImage(ports, caller, query, body.imageFile),
  }),
]
