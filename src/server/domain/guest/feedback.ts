import type { Ports } from '#server/ports.ts'
import type { CustomerFeedbackRequest, FeedbackReceipt } from '#contract/records/guest/feedback.ts'
import type { Identity } from '../identity.ts'
import { newId } from '../ids.ts'

/** Operations 4 and 22. Tickets are not looked up, because the response must not reveal whether a ticket exists. */
export async function saveFeedback(
  { store, clock, random }: Ports,
  { source, userId }: Identity,
  request: CustomerFeedbackRequest,
): Promise<FeedbackReceipt> {
  const feedbackId = await newId(random, 'feedback', 'FB')
  const createdAt = new Date(clock.now()).toISOString()
  const record = { ...request, feedbackId, ...(userId ? { userId } : {}), requestSource: source, createdAt }
  await store.transaction((tx) => tx.feedback.put(record))
  return { feedbackId, received: true }
}
