import { saveFeedback } from '../domain/guest/feedback.ts'
import { customerFeedbackRequest, feedbackReceipt } from '../schemas/guest/feedback.ts'
import { guestOperation, userOperation } from './operation.ts'

/** Document 1, section 7: what a 400 of these operations means. */
const INVALID = 'invalid customer feedback'

const common = {
  method: 'POST',
  tag: 'CustomerFeedback',
  body: customerFeedbackRequest,
  optionalBody: true,
  reply: feedbackReceipt,
  further: [201, 404, 503],
  words: { 400: INVALID },
  invalidInput: INVALID,
} as const

export const feedback = [
  userOperation({
    ...common,
    operation: 4,
    path: '/stg/us/customerFeedback',
    summary: 'Save feedback',
    run: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
  }),
]

export const guestFeedback = [
  guestOperation({
    ...common,
    operation: 22,
    path: '/stg/us/guest/customerFeedback',
    summary: 'Save feedback of a guest',
    run: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
  }),
]
