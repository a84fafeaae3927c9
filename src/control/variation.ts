import { requireVariation, setVariation } from '../domain/control/variations.ts'
import { noContent } from '../http/zod.ts'
import { variation, variationDraft } from '../schemas/control/variation.ts'
import { controlOperation } from './context.ts'

const tag = 'Variation'
const path = '/_control/variation'

export const variationRoutes = [
  controlOperation({
    operation: 'setVariation',
    method: 'PUT',
    path,
    tag,
    summary: 'Vary replies in what the documents, HTTP, JSON, SSE and XML leave open; this instance only',
    body: variationDraft.optional(),
    optionalBody: true,
    reply: variation,
    further: [400],
    run: async ({ ports, body }) => setVariation(ports, body ?? {}),
  }),

  controlOperation({
    operation: 'getVariation',
    method: 'GET',
    path,
    tag,
    reply: variation,
    further: [404],
    run: async ({ ports }) => requireVariation(ports),
  }),

  controlOperation({
    operation: 'endVariation',
    method: 'DELETE',
    path,
    tag,
    summary: 'Replies are as they were',
    reply: noContent,
    run: async ({ ports }) => ports.variations.set(undefined),
  }),
]
