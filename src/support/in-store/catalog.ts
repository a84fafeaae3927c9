import { z } from 'zod'
import {
  listInStoreArticles,
  listInStoreSymptoms,
  lookUpNearestCenter,
} from '../../domain/in-store/in-store-catalog.ts'
import { filter } from '../../http/input/parameters.ts'
import { modelCode } from '../../schemas/formats.ts'
import { nearestCenter } from '../../schemas/appointments/service-center.ts'
import { inStoreArticle, inStoreSymptoms } from '../../schemas/guest/symptom.ts'
import { zipCodeQuery } from '../../schemas/guest/zip-code.ts'
import { demanded, operation, refusals, type SupportApp } from '../operation.ts'

const tags = ['In Store']

export function inStoreCatalog(app: SupportApp): void {
  app.get('/stg/us/instore/noauth/nearest', {
    config: operation(36),
    schema: {
      tags,
      summary: 'Find the nearest walk-in service center',
      querystring: z.object({
        zipCode: zipCodeQuery.meta(demanded),
        modelCode: modelCode.optional(),
        sc4uObjectId: z.string().optional().meta({ description: 'Accepted without effect' }),
      }),
      response: { 200: nearestCenter, ...refusals(404) },
    },
    handler: async ({ ports, query }) => lookUpNearestCenter(ports, query),
  })

  app.get('/stg/us/instore/noauth/symptoms', {
    config: operation(38),
    schema: {
      tags,
      summary: 'List the symptoms of in-store requests',
      querystring: z.object({
        modelCode: filter
          .toUpperCase()
          .optional()
          .meta({ description: 'Of the bespoke line: its list; any other: the ordinary one' }),
        bespoke: z.enum(['Y']).optional().meta({
          description: 'Y for the bespoke product line, empty for others',
          source: 'document 1, operation 38',
        }),
      }),
      response: { 200: inStoreSymptoms, ...refusals(404) },
    },
    handler: async ({ ports, query }) =>
      listInStoreSymptoms(ports, { bespoke: query.bespoke === 'Y', modelCode: query.modelCode }),
  })

  app.get('/stg/us/instore/noauth/tsg', {
    config: operation(41),
    schema: {
      tags,
      summary: 'List troubleshooting guide entries for in-store products',
      querystring: z.object({ symptomId: filter.optional().meta({ example: 'IS01' }) }),
      response: { 200: z.array(inStoreArticle), ...refusals() },
    },
    handler: async ({ ports, query }) => listInStoreArticles(ports, query),
  })
}
