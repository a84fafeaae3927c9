import { ctiTokenOperations } from '#contract/documents/support/cti-tokens.ts'
import { createCtiToken } from '../domain/guest/cti-tokens.ts'
import { implement } from './operation.ts'

export const ctiTokens = implement(ctiTokenOperations, {
  3: async ({ ports, caller }) => createCtiToken(ports, caller),
})
