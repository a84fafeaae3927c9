import { z } from 'zod'
import { lookUpZipCode } from '../domain/appointments/zip-codes.ts'
import { zipCodeRecord, zipCodeToLookUp } from '../../contract/records/guest/zip-code.ts'
import { demanded, guestOperations } from './operation.ts'

const declare = guestOperations('Zipcode')

export const zipCodes = [
  declare({
    operation: 30,
    route: 'GET /stg/us/guest/zipCode',
    invalidInput: 'invalid zip code',
    summary: 'Look up a zip code',
    query: z.object({ zipCode: zipCodeToLookUp.meta({ ...demanded, source: 'document 1, operation 30' }) }),
    reply: zipCodeRecord,
    further: [404],
    words: { 400: 'invalid zip code' },
    run: async ({ ports, query }) => lookUpZipCode(ports, query.zipCode),
  }),
]
