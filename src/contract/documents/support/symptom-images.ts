import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { ticketNumber } from '#contract/records/formats.ts'
import { IMAGE_SIZE_LIMIT, symptomImageForm, symptomImageMeta } from '#contract/records/guest/symptom-image.ts'
import { demanded, sridToLookUp } from './parameters.ts'

const imageQuery = z
  .object({ srid: sridToLookUp.optional(), ticketNumber: ticketNumber.optional() })
  .refine((query) => query.srid !== undefined || query.ticketNumber !== undefined, {
    message: 'or query.ticketNumber is required',
    path: ['srid'],
    params: { source: demanded.requiredBy },
  })

/** Examples can contain only text, so this form contains only the first bytes of an image. */
const IMAGE_FORM =
  '--example\r\ncontent-disposition: form-data; name="imageFile"; filename="screen.gif"\r\n' +
  'content-type: image/gif\r\n\r\n' +
  'GIF89aAAAA   ,AAAAAAAA \t;\r\n--example--\r\n'

export const symptomImageOperations = defineOperations(
  { scope: 'guests', tag: 'Symptom Image', awaitsProgress: true },
  {
    26: {
      route: 'POST /stg/us/guest/serviceRequest/asset/symptomImage',
      summary: 'Upload a symptom image',
      consumes: ['multipart/form-data'],
      query: imageQuery,
      form: { field: 'imageFile', sizeLimit: IMAGE_SIZE_LIMIT },
      body: symptomImageForm,
      optionalBody: true,
      reply: symptomImageMeta,
      otherStatuses: [201, 404],
      example: {
        headers: { 'vendorus-profId': 'web-zoe-solano', 'content-type': 'multipart/form-data; boundary=example' },
        query: { srid: '1341379346' },
        body: IMAGE_FORM,
      },
    },
  },
)
