import { createCtiToken } from '../domain/guest/cti-tokens.ts'
import { ctiToken } from '../schemas/guest/cti-token.ts'
import { guestOperation } from './operation.ts'

export const ctiTokens = [
  guestOperation({
    operation: 3,
    method: 'POST',
    path: '/stg/us/cti/guest/token',
    tag: 'Cti',
    summary: 'Get a token for the call centre',
    reply: ctiToken,
    further: [201, 404],
    run: async ({ ports, caller }) => createCtiToken(ports, caller),
  }),
]
