import type { FastifyPluginAsync } from 'fastify'
import { acceptJson } from '../http/input/json-body.ts'
import { errorBody, httpStatuses } from '../http/json-errors.ts'
import { createJsonErrorHandler } from '../http/json-error-handler.ts'
import { addOperations } from '../http/operations.ts'
import { identifyCaller } from './bearer.ts'
import { Hubs } from './hubs.ts'
import { simulate } from './simulation.ts'
import { allowAnyPage, streams } from './streams.ts'
import { subscriptions } from './subscriptions.ts'

export interface EventsOptions {
  maxStreams?: number
  heartbeatSeconds?: number
  simulate?: boolean
}

/** Document 2, part a: subscriptions, and the stream that carries their events. */
export const events: FastifyPluginAsync<EventsOptions> = async (app, options) => {
  const { maxStreams = 1000, heartbeatSeconds = 20 } = options
  const hubs = new Hubs({ maxStreams, heartbeatSeconds, onNewWorld: options.simulate ? simulate : () => {} })
  app.answered.addEventListener('abort', () => hubs.close(), { once: true })
  app.setErrorHandler(createJsonErrorHandler(httpStatuses, { challenge: 'Bearer', shaped: true }))
  acceptJson(app)

  const common = { anyType: true, sourceOf: () => 'document 2, section 4' as const, errorBody }
  addOperations(app, {
    ...common,
    operations: subscriptions,
    authenticate: identifyCaller,
    refusals: [400, 401, 403, 500],
  })
  // The address or the token gives the right to open a stream, which is judged with the subscription.
  addOperations(app, { ...common, operations: streams(hubs), authenticate: allowAnyPage, refusals: [] })
}
