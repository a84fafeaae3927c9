import { createCtiToken } from '../domain/guest/cti-tokens.ts'
import { ctiToken } from '../../contract/records/guest/cti-token.ts'
import { guestOperations } from './operation.ts'

const declare = guestOperations('Cti')

export const ctiTokens = [
  declare({
    operation: 3,
    route: 'POST /stg/us/cti/guest/token',
    summary: 'Get a token for the call centre',
    reply: ctiToken,
    further: [201, 404],
    run: async ({ ports, caller }) => createCtiToken(ports, caller),
  }),
]
