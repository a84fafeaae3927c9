import * as z from 'zod'
import { email, filled, instant, modelCode, srid, text, ticketNumber } from '../formats.ts'

const ruled = { requiredBy: 'our choice: feedback', choice: 'feedback' } as const

/** Body of operations 4 and 22: document 1, CustomerFeedbackRequest. */
export const customerFeedbackRequest = z.object({
  rating: z.int().min(1).max(5).meta(ruled),
  comment: filled
    .check(({ value, issues }) => {
      if (value.trim().length <= 2000) return
      issues.push({ code: 'too_big', origin: 'string', maximum: 2000, inclusive: true, input: value })
    })
    .meta({ ...ruled, description: 'Comment of 1 to 2000 characters, not counting surrounding white space' }),
  category: text(100).optional(),
  srid: srid.optional(),
  ticketNumber: ticketNumber.optional(),
  modelCode: modelCode.optional(),
  email: email.optional(),
  pageUrl: text(2000).optional(),
  contactAllowed: z.boolean().optional(),
})
export type CustomerFeedbackRequest = z.infer<typeof customerFeedbackRequest>

export const feedback = customerFeedbackRequest.extend({
  feedbackId: z.string(),
  userId: z.string().optional(),
  requestSource: z.string(),
  createdAt: instant,
})

export const feedbackReceipt = z.object({
  feedbackId: z.string().meta({ example: 'FB-5W8K2D7QX3M1C0ZT' }),
  received: z.literal(true),
})
export type FeedbackReceipt = z.infer<typeof feedbackReceipt>
