import { disputeOperations } from '#contract/documents/support/dealer/disputes.ts'
import { submitDispute } from '#server/domain/dealer/disputes.ts'
import { implement } from '../operation.ts'

export const disputes = implement(disputeOperations, {
  15: async ({ ports, caller, body }) => submitDispute(ports, caller, body),
})
