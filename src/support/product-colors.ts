import { z } from 'zod'
import { listColors } from '../domain/guest/product-colors.ts'
import { modelCode } from '../schemas/formats.ts'
import { productColors as colors } from '../schemas/dealer/product.ts'
import { guestOperation } from './operation.ts'

export const productColors = [
  guestOperation({
    operation: 28,
    method: 'GET',
    path: '/stg/us/guest/symptom/changeColor',
    tag: 'Symptom / TroubleShooting',
    summary: 'List the colors of a model',
    query: z.object({ modelCode: modelCode.optional() }),
    reply: colors,
    further: [404],
    run: async ({ ports, query }) => listColors(ports, query.modelCode),
  }),
]
