import { noContent } from '../operation.ts'
import { variation, variationDraft } from '../records/control/variation.ts'
import { defineControl } from './define.ts'

export const variationOperations = defineControl('Variation', {
  setVariation: {
    summary: 'Vary replies in what the documents, HTTP, JSON, SSE and XML leave open; this instance only',
    body: variationDraft.optional(),
    optionalBody: true,
    reply: variation,
    example: { body: { seed: 'any text', kinds: ['json-order', 'json-extra'] } },
  },
  getVariation: {
    summary: 'Read the variation',
    reply: variation,
    example: { needs: 'replies that vary, from setVariation' },
  },
  endVariation: { summary: 'Replies are as they were', reply: noContent },
})
