import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { createDocsPage } from './billing/description.ts'
import { writeText } from './billing/errors.ts'
import { type BillingOptions, billing } from './billing/plugin.ts'
import { assertControlAccess } from './control/access.ts'
import { type ControlOptions, control } from './control/plugin.ts'
import { type EventsOptions, events } from './events/plugin.ts'
import { stripPrefixes } from './http/addresses.ts'
import { closeInTime } from './http/connection/closing.ts'
import {
  answerUnreadableRequests,
  type ConnectionBounds,
  connectionBounds,
  limitConnections,
  type NewestReplies,
  rejectTunnels,
} from './http/connection/connections.ts'
import { trackConnections } from './http/connection/open-connections.ts'
import { limitPipelining } from './http/connection/pipelining.ts'
import { health } from './http/health.ts'
import { createJsonErrorHandler } from './http/json-error-handler.ts'
import { httpStatuses, writeJsonError, writePlainError, type WriteError } from './http/json-errors.ts'
import { allowOrigins, endPreflight } from './http/cors.ts'
import { createKnownPaths } from './http/known-paths.ts'
import { collectRoutes } from './http/openapi/routes.ts'
import { type ConsoleOptions, consolePage, type NameWorlds } from './http/pages/console-page.ts'
import { type DocsOptions, docs } from './http/pages/docs.ts'
import { createRequestIds } from './http/request-ids.ts'
import { createSerializerCompiler } from './http/zod.ts'
import { addHooks } from './pipeline.ts'
import type { Tracing } from './ports/tracing.ts'
import type { Worlds } from './ports/worlds.ts'
import { support } from './support/plugin.ts'
import { metrics, type RequestCounts } from './telemetry/metrics.ts'
import type { Logger } from './telemetry/reply-report.ts'
import { replyWithResult, writeResult } from './wallet/errors.ts'
import { wallet } from './wallet/plugin.ts'

export interface AppOptions {
  worlds: Worlds
  logger?: Logger
  /** Proxies whose `X-Forwarded-*` headers are trusted: none, all, or those in a list. */
  trustProxy?: boolean | string
  maxConnections?: number
  bounds?: Partial<ConnectionBounds>
  /** Certificate and key in PEM format. If present, the server uses HTTPS. */
  tls?: { cert: string; key: string }
  /** Origins whose pages may call the APIs. `loopback` means all origins on this machine. */
  corsOrigins?: readonly string[]
  billing?: BillingOptions
  events?: EventsOptions
  control?: Omit<ControlOptions, 'vendorRoutes'>
  docs?: Omit<DocsOptions, 'routes' | 'billing' | 'mayRead'>
  console?: ConsoleOptions
  /** Returns the real time in milliseconds, with fractions. If absent, all durations are 0. */
  timer?: () => number
  tracing?: Tracing
  /** False disables the journal. This is used to measure the cost of the journal. */
  journal?: boolean
}

const answerJsonError = createJsonErrorHandler(httpStatuses, { shaped: true })

/** Creates the app without listening on a port, because tests and the library do not need one. */
export function buildApp(options: AppOptions): FastifyInstance {
  const replies: NewestReplies = new WeakMap()
  const streams: FastifyInstance['streamSockets'] = new WeakSet()
  const bounds = { ...connectionBounds, ...options.bounds }
  const allowOrigin = options.corsOrigins?.length ? allowOrigins(options.corsOrigins) : undefined
  // Disables Node's check for a missing `Host` header. Node's error would not have the error format of any document.
  const http = { ...bounds, requireHostHeader: false }
  const app = fastify({
    ...(options.logger ? { loggerInstance: withoutDetails(options.logger) } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy ?? false,
    bodyLimit: 1024 * 1024,
    requestTimeout: bounds.requestTimeout,
    keepAliveTimeout: bounds.keepAliveTimeout,
    ...(options.tls ? { https: { ...http, ...options.tls } } : { http }),
    forceCloseConnections: 'idle',
    // The hook `refuseWhileClosing` rejects late requests in the error format of their document.
    return503OnClosing: false,
    routerOptions: { maxParamLength: bounds.maxHeaderSize },
    requestIdHeader: false,
    genReqId: createRequestIds(options.worlds),
    // Each log line contains the data of its request, so requests need no separate loggers.
    childLoggerFactory: (parent) => parent,
    rewriteUrl: stripPrefixes,
    clientErrorHandler: answerUnreadableRequests(replies, streams, formOf),
    // If the address of a request cannot be decoded, the request does not reach any route or hook.
    frameworkErrors: (error, request, reply) => {
      const isWallets = request.url.startsWith('/wallet/')
      const answer = () => (isWallets ? replyWithResult : answerJsonError)(error, request, reply)
      reply.header('x-request-id', request.id)
      if (allowOrigin) allowOrigin.call(app, request, reply, () => endPreflight.call(app, request, reply, answer))
      else answer()
    },
  })

  app.setSerializerCompiler(createSerializerCompiler())
  app.setErrorHandler(answerJsonError)
  const counts: RequestCounts = new Map()
  const routes = collectRoutes(app)
  addHooks(app, {
    worlds: options.worlds,
    paths: createKnownPaths(routes),
    timer: options.timer ?? (() => 0),
    counts,
    journal: options.journal ?? true,
    logger: options.logger,
    allowOrigin,
    tracing: options.tracing,
  })
  const countRejected = limitConnections(app, options.maxConnections ?? 2000)
  limitPipelining(app, replies)
  rejectTunnels(app, formOf)
  closeInTime(app, trackConnections(app, streams, bounds.readingTimeout), replies)

  metrics(app, options.worlds, counts, countRejected)
  app.register(health)
  app.register(support)
  app.register(billing, options.billing ?? {})
  app.register(events, { logger: options.logger, ...options.events })
  app.register(wallet)
  if (options.control) app.register(control, { ...options.control, vendorRoutes: routes })
  const nameWorlds: NameWorlds = (request) =>
    mayControl(request, options) ? options.worlds.list().map(({ name }) => name) : []
  if (options.console) app.register(consolePage, { ...options.console, nameWorlds })
  if (options.docs) {
    const mayRead = (request: FastifyRequest) => mayControl(request, options)
    app.register(docs, { ...options.docs, routes, mayRead, billing: createDocsPage(options.billing?.namespace) })
  }
  return app
}

/** Input that is not valid HTTP has no route, so the error format depends only on the address. */
function formOf(url: string): WriteError {
  if (url === '') return writePlainError
  const path = stripPrefixes({ url } as Parameters<typeof stripPrefixes>[0])
  if (path.startsWith('/wallet/')) return writeResult
  return path.startsWith('/iap/') ? writeText : writeJsonError
}

/** At levels below `warn`, packages log headers and bodies. */
function withoutDetails(logger: Logger): FastifyBaseLogger {
  return logger.child({}, { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level })
}

function mayControl(request: FastifyRequest, { control: access }: AppOptions): boolean {
  try {
    assertControlAccess(request, access ?? { open: false })
    return true
  } catch {
    return false
  }
}
