import { z } from 'zod'
import { defineOperations } from '../../operation.ts'
import { srid, ticketNumber } from '../../records/formats.ts'
import { IMAGE_SIZE_LIMIT, symptomImageForm, symptomImageMeta } from '../../records/guest/symptom-image.ts'

const imageQuery = z
  .object({ srid: srid.optional(), ticketNumber: ticketNumber.optional() })
  .refine((query) => query.srid !== undefined || query.ticketNumber !== undefined, {
    message: 'or query.ticketNumber is required',
    path: ['srid'],
  })

export const symptomImageOperations = defineOperations(
  { scope: 'guests', tag: 'Symptom Image' },
  {
    26: {
      route: 'POST /stg/us/guest/serviceRequest/asset/symptomImage',
      summary: 'Upload an image of a symptom to a service request',
      consumes: ['multipart/form-data'],
      query: imageQuery,
      form: { field: 'imageFile', sizeLimit: IMAGE_SIZE_LIMIT },
      body: symptomImageForm,
      optionalBody: true,
      reply: symptomImageMeta,
      further: [201, 404],
    },
  },
)
