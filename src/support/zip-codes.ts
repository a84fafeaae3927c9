import { z } from 'zod'
import { lookUpZipCode } from '../domain/appointments/zip-codes.ts'
import { zipCodeQuery, zipCodeRecord } from '../schemas/guest/zip-code.ts'
import { demanded, operation, refusals, type SupportApp } from './operation.ts'

export function zipCodes(app: SupportApp): void {
  app.get('/stg/us/guest/zipCode', {
    config: operation(30, 'invalid zip code'),
    schema: {
      tags: ['Zipcode'],
      summary: 'Look up a zip code',
      querystring: z.object({ zipCode: zipCodeQuery.meta({ ...demanded, source: 'document 1, operation 30' }) }),
      response: { 200: zipCodeRecord, ...refusals(404) },
    },
    handler: async ({ ports, query }) => lookUpZipCode(ports, query.zipCode),
  })
}
