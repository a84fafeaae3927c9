import { saveFeedback } from '../domain/guest/feedback.ts'
import { customerFeedbackRequest, feedbackReceipt } from '../schemas/guest/feedback.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

const feedbackSchema = {
  tags: ['CustomerFeedback'],
  body: customerFeedbackRequest,
  response: { 200: feedbackReceipt, ...refusals(404, 503) },
}
/** Document 1, section 7: what a 400 of these operations means. */
const INVALID = 'invalid customer feedback'

export function feedback(app: SupportApp): void {
  app.post('/stg/us/customerFeedback', {
    config: operation(4, INVALID),
    schema: { ...feedbackSchema, summary: 'Save feedback' },
    handler: async ({ ports, identity, body }) => saveFeedback(ports, identity, body),
  })
}

export function guestFeedback(app: SupportApp): void {
  app.post('/stg/us/guest/customerFeedback', {
    config: operation(22, INVALID),
    schema: { ...feedbackSchema, summary: 'Save feedback of a guest' },
    handler: async ({ ports, identity, body }) => saveFeedback(ports, identity, body),
  })
}
