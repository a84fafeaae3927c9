import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { acceptJson } from '../http/input/json-body.ts'
import { errorBody, httpStatuses } from '../http/json-errors.ts'
import { createJsonErrorHandler } from '../http/json-error-handler.ts'
import { addOperations, toOperations } from '../http/operations.ts'
import { identifyCaller } from './bearer.ts'
import { Hubs } from './hubs.ts'
import { allowAnyPage, streams } from './streams.ts'
import { STEP, simulateStep } from '../domain/events/simulation.ts'
import { portsOfWork } from '../domain/work-ports.ts'
import type { Ports } from '../ports.ts'
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

export interface EventsOptions {
  maxStreams?: number
  heartbeatSeconds?: number
  simulate?: boolean
  logger?: FastifyBaseLogger | undefined
}

export const events: FastifyPluginAsync<EventsOptions> = async (app, options) => {
  const { maxStreams = 1000, heartbeatSeconds = 20, logger } = options
  const hubs = new Hubs({ maxStreams, heartbeatSeconds, logger, onNewWorld: options.simulate ? simulate : () => {} })
  app.answered.addEventListener('abort', () => hubs.close(), { once: true })
  app.setErrorHandler(createJsonErrorHandler(httpStatuses, { shaped: true }))
  acceptJson(app)

  const common = { anyType: true, sourceOf: () => 'document 2, section 4' as const, errorBody }
  addOperations(app, {
    ...common,
    operations: subscriptions,
    authenticate: identifyCaller,
    refusals: [400, 401, 403, 500],
    bodyRefusals: [413, 415],
  })
  // The operations check access to a stream themselves, because access depends on the subscription.
  addOperations(app, { ...common, operations: streams(hubs), authenticate: allowAnyPage, refusals: [] })
}

/** Scheduled after the event-loop tick, because a large clock move would otherwise run millions of steps. */
function simulate(ports: Ports): void {
  let step = 0
  const next = () => void ports.scheduler.schedule(ports.clock.now() + STEP, run, 'step of the simulation')
  const run = async () => {
    await takeStep(step++).catch(() => {})
    setImmediate(next)
  }
  // All instances count the steps, so that any of them can take over the simulation.
  const takeStep = async (number: number) => {
    if (await ports.bus.isLeader('simulation')) await simulateStep(portsOfWork(ports), number)
  }
  next()
}

const subscriptions = toOperations<AccessToken, typeof subscriptionOperations>(subscriptionOperations, {
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
