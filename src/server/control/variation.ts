import { requireVariation, setVariation } from '../domain/control/variations.ts'
import { noContent } from '../../contract/operation.ts'
import { variation, variationDraft } from '../../contract/records/control/variation.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Variation')

export const variations = [
  declare({
    operation: 'setVariation',
    route: 'PUT /_control/variation',
    summary: 'Vary replies in what the documents, HTTP, JSON, SSE and XML leave open; this instance only',
    body: variationDraft.optional(),
    optionalBody: true,
    reply: variation,
    further: [400],
    run: async ({ ports, body }) => setVariation(ports, body ?? {}),
  }),

  declare({
    operation: 'getVariation',
    route: 'GET /_control/variation',
    reply: variation,
    further: [404],
    run: async ({ ports }) => requireVariation(ports),
  }),

  declare({
    operation: 'endVariation',
    route: 'DELETE /_control/variation',
    summary: 'Replies are as they were',
    reply: noContent,
    run: async ({ ports }) => ports.variations.set(undefined),
  }),
]
