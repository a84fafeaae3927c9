import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { createExampleCalls } from './billing/example-calls.ts'
import { createDocsPage } from './billing/page.ts'
import { type BillingOptions, billing } from './billing/plugin.ts'
import { type ControlOptions, control } from './control/plugin.ts'
import { type EventsOptions, events } from './events/plugin.ts'
import { closeInTime } from './http/connection/closing.ts'
import { prepareDeparture } from './http/connection/departure.ts'
import {
  answerUnreadableRequests,
  endFailedHandshakes,
  limitConnections,
  type NewestReplies,
} from './http/connection/connections.ts'
import { type ConnectionBounds, connectionBounds } from './http/connection/connection-bounds.ts'
import { endUnreadReplies, trackConnections } from './http/connection/open-connections.ts'
import { answerInTurn } from './http/connection/pipelining.ts'
import { type ConsoleOptions, consolePage, type NameWorlds } from './http/pages/console-page.ts'
import { health } from './http/health.ts'
import { createRequestCounts, metrics } from './trace/metrics.ts'
import { assertControlAccess } from './control/access.ts'
import { httpStatuses } from './http/json-errors.ts'
import { createJsonErrorHandler } from './http/json-error-handler.ts'
import { createKnownPaths } from './http/known-paths.ts'
import { type DocsOptions, docs } from './http/pages/docs.ts'
import { collectRoutes } from './http/openapi/routes.ts'
import { addStations } from './pipeline.ts'
import { createRequestIds } from './http/request-ids.ts'
import { stripPrefixes } from './http/addresses.ts'
import { serializerCompiler, verifyingSerializerCompiler } from './http/zod.ts'
import type { Tracing } from './ports/tracing.ts'
import type { Worlds } from './ports/worlds.ts'
import { support } from './support/plugin.ts'
import { wallet } from './wallet/plugin.ts'

export interface AppOptions {
  worlds: Worlds
  logger?: FastifyBaseLogger
  /** The proxies whose `X-Forwarded-*` counts: nobody, everybody, or a list. */
  trustProxy?: boolean | string
  maxConnections?: number
  /** Others than those of every connection: for tests. */
  bounds?: Partial<ConnectionBounds>
  /** PEM; with it the server speaks HTTPS. */
  tls?: { cert: string; key: string }
  /** Origins whose pages may call; `loopback` stands for all of this machine. */
  corsOrigins?: readonly string[]
  billing?: BillingOptions
  events?: EventsOptions
  control?: Omit<ControlOptions, 'vendor'>
  docs?: Omit<DocsOptions, 'routes' | 'billing'>
  console?: ConsoleOptions
  /** Real time in milliseconds, finer than they are, which requests are timed by; without it they take no time. */
  timer?: () => number
  tracing?: Tracing
  /** Requests are journaled unless it is false: to measure what that costs. */
  journal?: boolean
  /** Checks every reply against its schema: for tests. */
  verifyReplies?: boolean
}

const BODY_LIMIT = 1024 * 1024

const answerJsonError = createJsonErrorHandler(httpStatuses, { shaped: true })

/** One Fastify app, one plugin per document. It never listens: main does. */
export function buildApp(options: AppOptions): FastifyInstance {
  const replies: NewestReplies = new WeakMap()
  const bounds = { ...connectionBounds, ...options.bounds }
  const app = fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy ?? false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: bounds.requestTimeout,
    keepAliveTimeout: bounds.keepAliveTimeout,
    ...(options.tls ? { https: { ...bounds, ...options.tls } } : { http: bounds }),
    forceCloseConnections: 'idle',
    // A station refuses them in the words of their document.
    return503OnClosing: false,
    routerOptions: { maxParamLength: bounds.maxHeaderSize },
    requestIdHeader: false,
    genReqId: createRequestIds(options.worlds),
    rewriteUrl: stripPrefixes,
    clientErrorHandler: answerUnreadableRequests(replies),
    // Addresses that cannot be decoded never reach a route.
    frameworkErrors: (error, request, reply) => void answerJsonError(error, request, reply),
  })

  app.setSerializerCompiler(options.verifyReplies ? verifyingSerializerCompiler : serializerCompiler)
  app.setErrorHandler(answerJsonError)
  const counts = createRequestCounts()
  const routes = collectRoutes(app)
  addStations(app, {
    worlds: options.worlds,
    paths: createKnownPaths(routes),
    timer: options.timer ?? (() => 0),
    counts,
    journal: options.journal ?? true,
    log: options.logger !== undefined,
    corsOrigins: options.corsOrigins,
    tracing: options.tracing,
  })
  limitConnections(app, options.maxConnections ?? 2000)
  answerInTurn(app, replies, bounds.mostWaiting)
  endFailedHandshakes(app)
  const connections = trackConnections(app)
  endUnreadReplies(app, connections, bounds.readingTimeout)
  closeInTime(app, connections, replies)
  prepareDeparture(app)

  metrics(app, options.worlds, counts)
  app.register(health)
  app.register(support)
  app.register(billing, options.billing ?? {})
  app.register(events, options.events ?? {})
  app.register(wallet)
  if (options.control) {
    const { namespace } = options.billing ?? {}
    app.register(control, { ...options.control, vendor: { routes, soap: createExampleCalls(namespace) } })
  }
  if (options.console) app.register(consolePage, { ...options.console, nameWorlds: createWorldNames(options) })
  if (options.docs) {
    app.register(docs, { ...options.docs, routes, billing: createDocsPage(options.billing?.namespace) })
  }
  return app
}

function createWorldNames({ control: access, worlds }: AppOptions): NameWorlds {
  return (request) => {
    try {
      assertControlAccess(request, access ?? { open: false })
    } catch {
      return []
    }
    return worlds.list().map(({ name }) => name)
  }
}
