import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { filter } from '#contract/records/parameters.ts'
import { modelCode } from '#contract/records/formats.ts'

export const guideTypes = ['application/json', 'text/plain', 'text/html'] as const

const code = (number: number) => filter.optional().describe(`Code of the symptom on level ${number}`)

/** Input and response of operations 21 and 29 (document 1, section 4, troubleshooting). */
const troubleshootingLookup = {
  query: z.object({
    modelCode,
    srid: filter.optional().describe('ID of the service request for which the guide is read'),
    symCode1: code(1),
    symCode2: code(2),
    symCode3: code(3),
    symCode4: code(4),
  }),
  produces: guideTypes,
  reply: z.string(),
  otherStatuses: [404],
} as const

export const troubleshootingOperations = {
  ...defineOperations(
    { scope: 'guests', tag: 'Symptom / TroubleShooting', awaitsProgress: true },
    {
      29: {
        ...troubleshootingLookup,
        route: 'GET /stg/us/guest/troubleshooting',
        summary: 'Get a troubleshooting guide',
        example: { query: { modelCode: 'VM-S100' } },
      },
    },
  ),
  ...defineOperations(
    { scope: 'dealers', tag: 'Dealer Portal', awaitsProgress: true },
    {
      21: {
        ...troubleshootingLookup,
        route: 'GET /stg/us/dealer/troubleshooting',
        summary: 'Get a troubleshooting guide (dealer)',
        example: { query: { modelCode: 'VM-TV55', symCode3: 'TV111' } },
      },
    },
  ),
}
