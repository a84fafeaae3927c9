import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { deviceId } from '#contract/records/device-id.ts'
import { lookup } from '#contract/records/parameters.ts'
import { productValidation as validation } from '#contract/records/dealer/product.ts'
import { email, IDENTITY_FORM, IDENTITY_RULE, matching, modelCode } from '#contract/records/formats.ts'

export const productValidationOperations = defineOperations(
  { scope: 'guests', tag: 'Registration' },
  {
    23: {
      route: 'POST /stg/us/guest/product/validation',
      summary: 'Validate a device and its model',
      query: z.object({
        prdId: z.string().meta({ description: 'Serial number, or IMEI with 15 digits', example: '490154203237518' }),
        modelCode,
        prof_id: matching(IDENTITY_FORM, `must be ${IDENTITY_RULE}`)
          .optional()
          .meta({ description: 'Identity of the user, from the cookie', choice: 'device-owner' }),
        originPrdId: z.string().optional().describe('Serial number or IMEI of the previously validated device'),
        email: email.optional().meta({ choice: 'device-owner' }),
      }),
      reply: validation,
      otherStatuses: [201, 404],
      example: { query: { prdId: '490154203237518', modelCode: 'VM-S100' } },
    },
    24: {
      route: 'GET /stg/us/guest/product/validation/:deviceId',
      summary: 'Validate a device',
      params: z.object({
        deviceId: lookup(deviceId.optional()).describe('Serial number, or IMEI with 15 digits'),
      }),
      query: z.object({ email: z.string().optional().describe('Ignored') }),
      reply: validation,
      otherStatuses: [404],
      words: { 404: 'device not found' },
      example: { params: { deviceId: '490154203237518' } },
    },
  },
)
