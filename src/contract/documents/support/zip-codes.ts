import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { zipCodeRecord, zipCodeToLookUp } from '#contract/records/guest/zip-code.ts'
import { demanded } from './parameters.ts'

export const zipCodeOperations = defineOperations(
  { scope: 'guests', tag: 'Zipcode' },
  {
    30: {
      route: 'GET /stg/us/guest/zipCode',
      invalidInput: 'invalid zip code',
      summary: 'Look up a ZIP code',
      query: z.object({
        zipCode: zipCodeToLookUp.meta({ ...demanded, source: 'document 1, operation 30' }),
      }),
      reply: zipCodeRecord,
      otherStatuses: [404],
      words: { 400: 'invalid zip code' },
      example: { query: { zipCode: '07660' } },
    },
  },
)
