import { saveFeedback } from '../domain/guest/feedback.ts'
import { customerFeedbackRequest, feedbackReceipt } from '../../contract/records/guest/feedback.ts'
import { guestOperations, userOperations } from './operation.ts'

const TAG = 'CustomerFeedback'

/** Document 1, section 7: what a 400 of these operations means. */
const INVALID = 'invalid customer feedback'

const common = {
  body: customerFeedbackRequest,
  optionalBody: true,
  reply: feedbackReceipt,
  further: [201, 404, 503],
  words: { 400: INVALID },
  invalidInput: INVALID,
} as const

export const feedback = [
  userOperations(TAG)({
    ...common,
    operation: 4,
    route: 'POST /stg/us/customerFeedback',
    summary: 'Save feedback',
    run: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
  }),
]

export const guestFeedback = [
  guestOperations(TAG)({
    ...common,
    operation: 22,
    route: 'POST /stg/us/guest/customerFeedback',
    summary: 'Save feedback of a guest',
    run: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
  }),
]
