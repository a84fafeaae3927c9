import { defineOperations } from '#contract/operation.ts'
import { customerFeedbackRequest, feedbackReceipt } from '#contract/records/guest/feedback.ts'

const INVALID = 'invalid customer feedback'

const common = {
  body: customerFeedbackRequest,
  optionalBody: true,
  reply: feedbackReceipt,
  otherStatuses: [201, 404, 503],
  words: { 400: INVALID },
  invalidInput: INVALID,
} as const

export const feedbackOperations = {
  ...defineOperations(
    { scope: 'users', tag: 'CustomerFeedback' },
    {
      4: {
        ...common,
        route: 'POST /stg/us/customerFeedback',
        summary: 'Save feedback',
        example: { body: { rating: 5, comment: 'The technician was on time.' } },
      },
    },
  ),
  ...defineOperations(
    { scope: 'guests', tag: 'CustomerFeedback' },
    {
      22: {
        ...common,
        route: 'POST /stg/us/guest/customerFeedback',
        summary: 'Save guest feedback',
        example: { body: { rating: 4, comment: 'Found my answer at once.' } },
      },
    },
  ),
}
