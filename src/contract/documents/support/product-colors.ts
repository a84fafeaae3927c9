import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { modelCode } from '#contract/records/formats.ts'
import { lookup } from '#contract/records/parameters.ts'
import { productColors as colors } from '#contract/records/dealer/product.ts'

export const productColorOperations = defineOperations(
  { scope: 'guests', tag: 'Symptom / TroubleShooting' },
  {
    28: {
      route: 'GET /stg/us/guest/symptom/changeColor',
      summary: 'List colors of a model',
      query: z.object({ modelCode: lookup(modelCode.optional()) }),
      reply: colors,
      otherStatuses: [404],
      example: { query: { modelCode: 'VM-S100' } },
    },
  },
)
