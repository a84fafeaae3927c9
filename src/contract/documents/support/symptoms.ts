import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { filter } from '#contract/records/parameters.ts'
import { symptomResponse } from '#contract/records/guest/symptom.ts'

/** Document 1, section 7, of a 400. */
const MISSING = 'missing subType'
const level = (number: number) =>
  filter.optional().meta({ description: `Code of the symptom chosen on level ${number}` })

/** Document 1, section 4, symptom tree: of operations 18 and 27. */
const symptomLookup = {
  query: z.object({
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
  reply: symptomResponse,
  otherStatuses: [404],
  words: { 400: MISSING },
  invalidInput: { 'query.subType': MISSING },
} as const

export const symptomOperations = {
  ...defineOperations(
    { scope: 'guests', tag: 'Symptom / TroubleShooting' },
    {
      27: {
        ...symptomLookup,
        route: 'GET /stg/us/guest/symptom',
        summary: 'Choose a symptom step by step',
        example: { query: { subType: 'PHONE' } },
      },
    },
  ),
  ...defineOperations(
    { scope: 'dealers', tag: 'Dealer Portal' },
    {
      18: {
        ...symptomLookup,
        route: 'GET /stg/us/dealer/symptom',
        summary: 'Choose a symptom step by step, as a dealer',
        example: { query: { subType: 'TV' } },
      },
    },
  ),
}
