import { symptomOperations } from '#contract/documents/support/symptoms.ts'
import { lookUpSymptoms } from '../domain/guest/symptoms.ts'
import { implement } from './operation.ts'

export const symptoms = implement(symptomOperations, {
  18: async ({ ports, query }) => lookUpSymptoms(ports, query),
  27: async ({ ports, query }) => lookUpSymptoms(ports, query),
})
