import { z } from 'zod'
import { uploadSymptomImage } from '../domain/guest/symptom-images.ts'
import { acceptFileForm } from '../http/input/file-form.ts'
import { srid, ticketNumber } from '../schemas/formats.ts'
import { IMAGE_SIZE_LIMIT, symptomImageForm, symptomImageMeta } from '../schemas/guest/symptom-image.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

const imageQuery = z
  .object({ srid: srid.optional(), ticketNumber: ticketNumber.optional() })
  .refine((query) => query.srid !== undefined || query.ticketNumber !== undefined, {
    message: 'or query.ticketNumber is required',
    path: ['srid'],
  })

export function symptomImages(app: SupportApp): void {
  app.register(async (forms) => {
    acceptFileForm(forms, { field: 'imageFile', sizeLimit: IMAGE_SIZE_LIMIT })
    upload(forms as unknown as SupportApp)
  })
}

function upload(forms: SupportApp): void {
  forms.post('/stg/us/guest/serviceRequest/asset/symptomImage', {
    config: operation(26),
    schema: {
      tags: ['Symptom Image'],
      summary: 'Upload an image of a symptom to a service request',
      consumes: ['multipart/form-data'],
      querystring: imageQuery,
      body: symptomImageForm,
      response: { 200: symptomImageMeta, ...refusals(404) },
    },
    handler: async ({ ports, identity, query, body }) => uploadSymptomImage(ports, identity, query, body.imageFile),
  })
}
