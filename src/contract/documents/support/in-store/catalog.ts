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
      summary: 'List the symptoms of in-store requests',
      query: z.object({
        modelCode: filter.toUpperCase().optional().meta({
          description: 'Of the bespoke line: its list; any other: the ordinary one. Counts without `bespoke`',
        }),
        bespoke: z
          .string()
          .optional()
          .meta({
            description: 'Y for the bespoke product line, empty for others',
            openapi: { type: 'string', enum: ['Y', ''] },
            keepsEmpty: true,
          }),
      }),
      reply: inStoreSymptoms,
      otherStatuses: [404],
    },
    41: {
      route: 'GET /stg/us/instore/noauth/tsg',
      summary: 'List troubleshooting guide entries for in-store products',
      query: z.object({ symptomId: filter.optional().meta({ example: 'IS01' }) }),
      reply: z.array(inStoreArticle),
    },
  },
)
