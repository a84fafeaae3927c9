import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { filter } from '#contract/records/parameters.ts'
import { modelCode } from '#contract/records/formats.ts'
import { nearestCenter } from '#contract/records/appointments/service-center.ts'
import { inStoreArticle, inStoreSymptoms } from '#contract/records/guest/symptom.ts'
import { zipCodeQuery } from '#contract/records/guest/zip-code.ts'
import { sc4uObjectId, demanded } from '../parameters.ts'

export const inStoreCatalogOperations = defineOperations(
  { scope: 'anonymous', tag: 'In Store' },
  {
    36: {
      route: 'GET /stg/us/instore/noauth/nearest',
      summary: 'Find the nearest walk-in service center',
      query: z.object({
        zipCode: zipCodeQuery.meta(demanded),
        modelCode: modelCode.optional(),
        sc4uObjectId,
      }),
      reply: nearestCenter,
      otherStatuses: [404],
      example: { query: { zipCode: '07660', modelCode: 'VM-S100' } },
    },
    38: {
      route: 'GET /stg/us/instore/noauth/symptoms',
      summary: 'List in-store symptoms',
      query: z.object({
        modelCode: filter
          .toUpperCase()
          .optional()
          .describe('Model whose product line selects the list, if `bespoke` is absent'),
        bespoke: z
          .string()
          .optional()
          .meta({
            description: 'Y: symptoms of the bespoke product line. Empty: symptoms of other products.',
            openapi: { type: 'string', enum: ['Y', ''] },
            keepsEmpty: true,
          }),
      }),
      reply: inStoreSymptoms,
      otherStatuses: [404],
    },
    41: {
      route: 'GET /stg/us/instore/noauth/tsg',
      summary: 'List in-store troubleshooting articles',
      query: z.object({ symptomId: filter.optional().meta({ example: 'IS01' }) }),
      reply: z.array(inStoreArticle),
    },
  },
)
