import { z } from 'zod'
import { listColors } from '../domain/guest/product-colors.ts'
import { modelCode } from '../../contract/records/formats.ts'
import { productColors as colors } from '../../contract/records/dealer/product.ts'
import { guestOperations } from './operation.ts'

const declare = guestOperations('Symptom / TroubleShooting')

export const productColors = [
  declare({
    operation: 28,
    route: 'GET /stg/us/guest/symptom/changeColor',
    summary: 'List the colors of a model',
    query: z.object({ modelCode: modelCode.optional() }),
    reply: colors,
    further: [404],
    run: async ({ ports, query }) => listColors(ports, query.modelCode),
  }),
]
