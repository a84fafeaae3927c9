import { subscriptionOperations } from '#contract/documents/events/subscriptions.ts'
import type { AccessToken } from '#contract/records/events/access-token.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import { issueStreamKey } from '../domain/events/stream-access.ts'
import {
  createSubscription,
  deleteSubscription,
  requireSubscription,
  updateSubscription,
} from '../domain/events/subscriptions.ts'
import { type Addressed, baseUrl } from '../http/addresses.ts'
import { toOperations } from '../http/operations.ts'

export const subscriptions = toOperations<AccessToken, typeof subscriptionOperations>(subscriptionOperations, {
  createSubscription: async (request) => {
    const { ports, caller, body } = request
    return toReply(request, await createSubscription(ports, caller, body))
  },
  getSubscription: async (request) => {
    const { ports, caller, params } = request
    return toReply(request, await requireSubscription(ports, caller, params.subscriptionId))
  },
  updateSubscription: async (request) => {
    const { ports, caller, params, body } = request
    return toReply(request, await updateSubscription(ports, caller, params.subscriptionId, body))
  },
  deleteSubscription: async ({ ports, caller, params }) => deleteSubscription(ports, caller, params.subscriptionId),
})

/** Our choice: the address holds the key that opens the stream. */
async function toReply(request: Addressed, subscription: Subscription) {
  const { subscriptionId, name, version, subscriptionFilters } = subscription
  const key = await issueStreamKey(request.ports, subscriptionId)
  return {
    subscriptionId,
    registrationUrl: `${baseUrl(request)}/filters/${subscriptionId}/activate?filterRegion=local&key=${key}`,
    name,
    version,
    subscriptionFilters: subscriptionFilters.map(({ type }) => ({ type })),
  }
}
