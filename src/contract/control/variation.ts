import { defineOperations, noContent } from '../operation.ts'
import { variation, variationDraft } from '../records/control/variation.ts'
import { controlRoutes } from './routes.ts'

export const variationOperations = defineOperations(
  { scope: 'control', tag: 'Variation' },
  {
    setVariation: {
      route: controlRoutes.setVariation,
      summary: 'Vary replies in what the documents, HTTP, JSON, SSE and XML leave open; this instance only',
      body: variationDraft.optional(),
      optionalBody: true,
      reply: variation,
      further: [400],
    },
    getVariation: {
      route: controlRoutes.getVariation,
      reply: variation,
      further: [404],
    },
    endVariation: {
      route: controlRoutes.endVariation,
      summary: 'Replies are as they were',
      reply: noContent,
    },
  },
)
