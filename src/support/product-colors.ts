import { z } from 'zod'
import { listColors } from '../domain/guest/product-colors.ts'
import { modelCode } from '../schemas/formats.ts'
import { productColors as colors } from '../schemas/dealer/product.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

export function productColors(app: SupportApp): void {
  app.get('/stg/us/guest/symptom/changeColor', {
    config: operation(28),
    schema: {
      tags: ['Symptom / TroubleShooting'],
      summary: 'List the colors of a model',
      querystring: z.object({ modelCode: modelCode.optional() }),
      response: { 200: colors, ...refusals(404) },
    },
    handler: async ({ ports, query }) => listColors(ports, query.modelCode),
  })
}
