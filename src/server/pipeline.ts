import type { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify'
import type { Ports } from './ports.ts'
import type { Tracing } from './ports/tracing.ts'
import type { Worlds } from './ports/worlds.ts'
import { rejectAbandonedBody } from './http/connection/client-left.ts'
import { drainRejectedBody } from './http/connection/connections.ts'
import { endPreflight } from './http/cors.ts'
import { addChallenge } from './http/errors.ts'
import { injectFaults, injectFaultsIntoReply } from './chaos/fault-injection.ts'
import { readFileForm } from './http/input/file-form.ts'
import { journalArrival } from './journal/journaled-requests.ts'
import { awaitRecorder, awaitRecorderWithoutBody, recordCall } from './recording/recorded-calls.ts'
import { createReplyReport, findLong, type ReportOptions, type ReportReply } from './telemetry/reply-report.ts'
import { createTraceStart } from './telemetry/spans.ts'
import type { KnownPaths } from './http/known-paths.ts'
import { refuseUnknownPath } from './http/unknown-paths.ts'
import { authenticateCaller, checkBodyType, checkInput } from './http/operations.ts'
import { limitRate } from './http/rate-limit.ts'
import { startRequestContext } from './http/request-context.ts'
import { varies, varyReply } from './chaos/variation/variation.ts'
import { applyChosenForms, enterWorld } from './http/addresses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ports: Ports
  }
  interface FastifyInstance {
    knownPaths: KnownPaths
    tracing: Tracing | undefined
    /** Must be called if a response bypasses Fastify. All other responses are reported automatically. */
    reportReply: ReportReply
    reportArrival: (request: FastifyRequest) => void
  }
}

export interface PipelineOptions extends ReportOptions {
  worlds: Worlds
  paths: KnownPaths
  allowOrigin?: onRequestHookHandler | undefined
  tracing?: Tracing | undefined
}

/** In order, for all documents. A hook rejects by throwing, and the error handler of the document responds. */
export function addHooks(app: FastifyInstance, options: PipelineOptions): void {
  const { worlds, paths, timer, tracing, allowOrigin } = options
  const report = createReplyReport(options)
  app.decorate('knownPaths', { getter: () => paths })
  app.decorate('reportReply', report)
  app.decorate('tracing', { getter: () => tracing })
  app.decorate('reportArrival', options.journal ? journalArrival : () => {})
  for (const name of ['ports', 'caller', 'context']) app.decorateRequest(name)

  if (allowOrigin) app.addHook('onRequest', allowOrigin)
  app.addHook('onRequest', startRequestContext(timer, createTraceStart(tracing)))
  app.addHook('onRequest', enterWorld(worlds, recordCall))
  if (allowOrigin) app.addHook('onRequest', endPreflight)
  app.addHook('onRequest', refuseWhileClosing)
  app.addHook('onRequest', applyChosenForms)
  app.addHook('onRequest', injectFaults('arrival'))
  app.addHook('onRequest', awaitRecorderWithoutBody)
  app.addHook('onRequest', limitRate)
  app.addHook('onRequest', refuseUnknownPath(paths))
  app.addHook('onRequest', authenticateCaller)
  app.addHook('onRequest', checkBodyType)
  app.addHook('onRequest', rejectAbandonedBody)
  // The document's plugin has now parsed the body: `acceptJson`, `acceptFileForm` or `acceptMessages`.
  app.addHook('preValidation', injectFaults('read'))
  app.addHook('preValidation', awaitRecorder)
  app.addHook('preValidation', readFileForm)
  app.addHook('preValidation', checkInput)
  // The operation's `run` function has now made one call into the domain.
  app.addHook('onSend', drainRejectedBody)
  app.addHook('onSend', injectFaultsIntoReply)
  app.addHook('onSend', sendReply(report))
}

/** A request on an open connection may arrive while the server is closing. */
const refuseWhileClosing: onRequestHookHandler = ({ server }, _reply, done) => {
  server.closing.throwIfAborted()
  done()
}

/**
 * Reports before sending, so that the client finds the response counted and journaled. Only long responses are reported
 * afterwards, which needs two listeners. Streams were reported earlier. The report has no variation.
 */
function sendReply(report: ReportReply): onSendHookHandler {
  return (request, reply, payload, done) => {
    const text = typeof payload === 'string' ? payload : undefined
    const send = (sent: unknown, finishHead?: () => void) => {
      addChallenge(request, reply)
      report(request, reply, text, findLong(sent))
      finishHead?.()
      done(null, sent)
    }
    if (varies(request))
      varyReply(request, reply, payload).then((varied) => send(varied.payload, varied.finishHead), done)
    else send(payload)
  }
}
