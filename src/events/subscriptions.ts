import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  createSubscription,
  deleteSubscription,
  registrationKeyOf,
  requireSubscription,
  updateSubscription,
} from '../domain/events/subscriptions.ts'
import { errorBody } from '../http/json-errors.ts'
import { baseUrl } from '../http/connection/links.ts'
import { noContent, type ZodApp } from '../http/zod.ts'
import {
  type Subscription,
  subscriptionDraft,
  subscriptionId,
  subscriptionReply,
  subscriptionUpdate,
} from '../schemas/events/subscription.ts'
import { callerOf } from './bearer.ts'

/** Real clients come with these; the document shows the first (our choice). */
const dialects = ['/subscriptions', '/v1/subscriptions', '/v1/sse/subscriptions']

const tags = ['Subscriptions']
const security = [{ bearer: [] }]
const params = z.object({ subscriptionId })
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody, 500: errorBody }

/** Document 2, section 4: the subscription operations. */
export function subscriptions(app: ZodApp): void {
  for (const path of dialects) {
    app.post(path, {
      config: { operation: 'createSubscription', source: 'document 2, section 4' },
      schema: {
        tags,
        security,
        summary: 'Create a subscription',
        body: subscriptionDraft,
        response: { 200: subscriptionReply, ...refusals },
      },
      handler: async (request) =>
        toReply(request, await createSubscription(request.ports, callerOf(request), request.body)),
    })

    app.get(`${path}/:subscriptionId`, {
      config: { operation: 'getSubscription', source: 'document 2, section 4' },
      schema: {
        tags,
        security,
        summary: 'Get a subscription',
        params,
        response: { 200: subscriptionReply, ...refusals, 404: errorBody },
      },
      handler: async (request) => {
        const { ports, params } = request
        return toReply(request, await requireSubscription(ports, callerOf(request), params.subscriptionId))
      },
    })

    app.put(`${path}/:subscriptionId`, {
      config: { operation: 'updateSubscription', source: 'document 2, section 4' },
      schema: {
        tags,
        security,
        summary: 'Replace the filters of a subscription, also while it is streamed',
        params,
        body: subscriptionUpdate,
        response: { 200: subscriptionReply, ...refusals, 404: errorBody },
      },
      handler: async (request) => {
        const { ports, params, body } = request
        return toReply(request, await updateSubscription(ports, callerOf(request), params.subscriptionId, body))
      },
    })

    app.delete(`${path}/:subscriptionId`, {
      config: { operation: 'deleteSubscription', source: 'document 2, section 4' },
      schema: {
        tags,
        security,
        summary: 'Delete a subscription; its stream ends',
        params,
        response: { 204: noContent, ...refusals, 404: errorBody },
      },
      handler: async (request, reply) => {
        await deleteSubscription(request.ports, callerOf(request), request.params.subscriptionId)
        return reply.code(204).send(undefined)
      },
    })
  }
}

/** Our choice: the address holds the key that opens the stream. */
async function toReply(request: FastifyRequest, subscription: Subscription) {
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
