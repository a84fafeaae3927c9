import { feedbackOperations } from '#contract/documents/support/feedback.ts'
import { saveFeedback } from '../domain/guest/feedback.ts'
import { implement } from './operation.ts'

export const feedback = implement(feedbackOperations, {
  4: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
  22: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
})
