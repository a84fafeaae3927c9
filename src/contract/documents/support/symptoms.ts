import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { filter } from '#contract/records/parameters.ts'
import { symptomResponse } from '#contract/records/guest/symptom.ts'

const MISSING = 'missing subType'
const level = (number: number) => filter.optional().describe(`Code of the selected symptom on level ${number}`)

/** Input and response of operations 18 and 27 (document 1, section 4, symptom tree). */
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
    language: filter.default('E').describe('E: English, S: Spanish. Any other value counts as E.'),
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
        summary: 'List the next symptom level',
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
        summary: 'List the next symptom level (dealer)',
        example: { query: { subType: 'TV' } },
      },
    },
  ),
}
