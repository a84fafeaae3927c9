import * as z from 'zod'
import { defineOperations, noContent } from '#contract/operation.ts'
import {
  subscriptionDraft,
  subscriptionId,
  subscriptionReply,
  subscriptionUpdate,
} from '#contract/records/events/subscription.ts'

const params = z.object({ subscriptionId })

/** Document 2, section 4, shows paths without a prefix, but real clients also send these prefixes. */
export const subscriptionOperations = defineOperations(
  { scope: 'tokens', tag: 'Subscriptions', dialects: ['/v1', '/v1/sse'] },
  {
    createSubscription: {
      route: 'POST /subscriptions',
      summary: 'Create a subscription',
      body: subscriptionDraft,
      reply: subscriptionReply,
      otherStatuses: [409],
      example: { body: { name: 'home', version: 1, subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] } },
    },
    getSubscription: {
      route: 'GET /subscriptions/:subscriptionId',
      summary: 'Get a subscription',
      params,
      reply: subscriptionReply,
      otherStatuses: [404],
      example: { needs: 'subscriptionId, from createSubscription' },
    },
    updateSubscription: {
      route: 'PUT /subscriptions/:subscriptionId',
      summary: 'Replace the filters of a subscription',
      description:
        'An open stream uses the new filters immediately. The token of the request becomes the token of the ' +
        'subscription, so the `registrationUrl` works until this token expires.',
      params,
      body: subscriptionUpdate,
      reply: subscriptionReply,
      otherStatuses: [404],
      example: {
        needs: 'subscriptionId, from createSubscription',
        body: { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] },
      },
    },
    deleteSubscription: {
      route: 'DELETE /subscriptions/:subscriptionId',
      summary: 'Delete a subscription',
      description: 'Also ends its stream.',
      params,
      reply: noContent,
      otherStatuses: [404],
      example: { needs: 'subscriptionId, from createSubscription' },
    },
  },
)
