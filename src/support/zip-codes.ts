import { z } from 'zod'
import { lookUpZipCode } from '../domain/appointments/zip-codes.ts'
import { zipCodeQuery, zipCodeRecord } from '../schemas/guest/zip-code.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

export function zipCodes(app: SupportApp): void {
  app.get('/stg/us/guest/zipCode', {
    config: operation(30, 'invalid zip code'),
    schema: {
      tags: ['Zipcode'],
      summary: 'Look up a zip code',
      querystring: z.object({ zipCode: zipCodeQuery }),
      response: { 200: zipCodeRecord, ...refusals(404) },
    },
    handler: async ({ ports, query }) => lookUpZipCode(ports, query.zipCode),
  })
}
