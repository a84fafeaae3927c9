import type { FastifyPluginAsync } from 'fastify'
import { readJson } from '../http/input/json-body.ts'
import { acceptJson, refuseEncodedBody } from '../http/input/request-rules.ts'
import type { ZodApp } from '../http/zod.ts'
import { challenge, identifyCaller } from './bearer.ts'
import { Hubs } from './hubs.ts'
import { simulate } from './simulation.ts'
import { streams } from './streams.ts'
import { subscriptions } from './subscriptions.ts'

export interface EventsOptions {
  /** MAX_STREAMS. */
  maxStreams?: number
  /** HEARTBEAT_SECONDS. */
  heartbeatSeconds?: number
  /** SIMULATE. */
  simulate?: boolean
}

/** Document 2, part a: subscriptions, and the stream that carries their events. */
export const events: FastifyPluginAsync<EventsOptions> = async (app, options) => {
  const { maxStreams = 1000, heartbeatSeconds = 20 } = options
  const hubs = new Hubs({ maxStreams, heartbeatSeconds, onNewWorld: options.simulate ? simulate : () => {} })
  app.addHook('preClose', async () => hubs.close())
  app.addHook('onRequest', async (request) => refuseEncodedBody(request))
  app.addHook('onSend', challenge)
  acceptJson(app, readJson, { anyType: true })

  app.register(async (scoped) => {
    scoped.addHook('onRequest', identifyCaller)
    subscriptions(scoped as unknown as ZodApp)
  })
  app.register(async (scoped) => streams(scoped as unknown as ZodApp, hubs))
}
