import { z } from 'zod'
import { lookUpSymptoms } from '../domain/guest/symptoms.ts'
import { filter } from '../http/input/parameters.ts'
import { symptomResponse } from '../schemas/guest/symptom.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

const level = (number: number) =>
  filter.optional().meta({ description: `Code of the symptom chosen on level ${number}` })

/** Document 1, section 4, symptom tree: of operations 18 and 27. */
const symptomSchema = {
  tags: ['Symptom / TroubleShooting'],
  querystring: z.object({
    subType: filter.meta({
      description: 'Product subtype',
      example: 'TV',
      requiredBy: 'document 1, section 4, symptom tree, rule 1',
      optionalInDocument: true,
    }),
    symptomLevel1: level(1),
    symptomLevel2: level(2),
    symptomLevel3: level(3),
    language: filter.default('E').meta({ description: 'E English, S Spanish; another falls back to E' }),
  }),
  response: { 200: symptomResponse, ...refusals(404) },
}

export function symptoms(app: SupportApp): void {
  app.get('/stg/us/guest/symptom', {
    config: operation(27),
    schema: { ...symptomSchema, summary: 'Choose a symptom step by step' },
    handler: async ({ ports, query }) => lookUpSymptoms(ports, query),
  })
}

export function dealerSymptoms(app: SupportApp): void {
  app.get('/stg/us/dealer/symptom', {
    config: operation(18),
    schema: { ...symptomSchema, tags: ['Dealer Portal'], summary: 'Choose a symptom step by step, as a dealer' },
    handler: async ({ ports, query }) => lookUpSymptoms(ports, query),
  })
}
