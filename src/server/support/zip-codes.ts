import { zipCodeOperations } from '#contract/documents/support/zip-codes.ts'
import { lookUpWrittenZipCode } from '../domain/appointments/zip-codes.ts'
import { implement } from './operation.ts'

export const zipCodes = implement(zipCodeOperations, {
  30: async ({ ports, query }) => lookUpWrittenZipCode(ports, query.zipCode),
})
