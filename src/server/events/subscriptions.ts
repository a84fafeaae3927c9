import { z } from 'zod'
import { registrationKeyOf } from '../domain/events/stream-access.ts'
import {
  createSubscription,
  deleteSubscription,
  requireSubscription,
  updateSubscription,
} from '../domain/events/subscriptions.ts'
import { operationsOf } from '../http/operations.ts'
import { type Addressed, baseUrl } from '../http/addresses.ts'
import { noContent } from '../../contract/operation.ts'
import type { AccessToken } from '../../contract/records/events/access-token.ts'
import {
  type Subscription,
  subscriptionDraft,
  subscriptionId,
  subscriptionReply,
  subscriptionUpdate,
} from '../../contract/records/events/subscription.ts'

/** Real clients come with these; the document shows the first (our choice). */
const dialects = ['/subscriptions', '/v1/subscriptions', '/v1/sse/subscriptions']

const params = z.object({ subscriptionId })
const declare = operationsOf<AccessToken>('Subscriptions')

/** Document 2, section 4: the subscription operations. */
export const subscriptions = dialects.flatMap((path) => [
  declare({
    operation: 'createSubscription',
    route: `POST ${path}`,
    summary: 'Create a subscription',
    body: subscriptionDraft,
    reply: subscriptionReply,
    run: async (request) => {
      const { ports, caller, body } = request
      return toReply(request, await createSubscription(ports, caller, body))
    },
  }),

  declare({
    operation: 'getSubscription',
    route: `GET ${path}/:subscriptionId`,
    summary: 'Get a subscription',
    params,
    reply: subscriptionReply,
    further: [404],
    run: async (request) => {
      const { ports, caller, params } = request
      return toReply(request, await requireSubscription(ports, caller, params.subscriptionId))
    },
  }),

  declare({
    operation: 'updateSubscription',
    route: `PUT ${path}/:subscriptionId`,
    summary: 'Replace the filters of a subscription, also while it is streamed',
    params,
    body: subscriptionUpdate,
    reply: subscriptionReply,
    further: [404],
    run: async (request) => {
      const { ports, caller, params, body } = request
      return toReply(request, await updateSubscription(ports, caller, params.subscriptionId, body))
    },
  }),

  declare({
    operation: 'deleteSubscription',
    route: `DELETE ${path}/:subscriptionId`,
    summary: 'Delete a subscription; its stream ends',
    params,
    reply: noContent,
    further: [404],
    run: async ({ ports, caller, params }) => deleteSubscription(ports, caller, params.subscriptionId),
  }),
])

/** Our choice: the address holds the key that opens the stream. */
async function toReply(request: Addressed, subscription: Subscription) {
  const { subscriptionId, name, version, subscriptionFilters } = subscription
  const key = await registrationKeyOf(request.ports, subscriptionId)
  return {
    subscriptionId,
    registrationUrl: `${baseUrl(request)}/filters/${subscriptionId}/activate?filterRegion=local&key=${key}`,
    name,
    version,
    subscriptionFilters: subscriptionFilters.map(({ type }) => ({ type })),
  }
}
