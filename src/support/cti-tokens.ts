import { createCtiToken } from '../domain/guest/cti-tokens.ts'
import { ctiToken } from '../schemas/guest/cti-token.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

export function ctiTokens(app: SupportApp): void {
  app.post('/stg/us/cti/guest/token', {
    config: operation(3),
    schema: {
      tags: ['Cti'],
      summary: 'Get a token for the call centre',
      response: { 200: ctiToken, ...refusals(404) },
    },
    handler: async ({ ports, identity }) => createCtiToken(ports, identity),
  })
}
