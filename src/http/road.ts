import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preValidationHookHandler,
} from 'fastify'
import type { Ports, Worlds } from '../ports.ts'
import { readWhatIsRefused } from './connection/connections.ts'
import { allowOrigins } from './cors.ts'
import { meetFaults, meetFaultsOfReply } from './fault-injection.ts'
import { type FileForm, readFileForm } from './input/file-form.ts'
import { ignoreBodyType, refuseEncodedBody, takeAnyType } from './input/request-rules.ts'
import { awaitTurn, recordCall } from './journal/recorded-calls.ts'
import { createReplyReport, type ReportOptions, type ReportReply } from './journal/reply-report.ts'
import type { KnownPaths } from './known-paths.ts'
import { limitRate, type RateLimit } from './rate-limit.ts'
import { RequestNotes } from './request-notes.ts'
import { refuseUnknownPath } from './unknown-paths.ts'
import { varies, varyReply } from './variation/variation.ts'
import { enterWorld } from './world-entry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the rules need, of the world this request is for. */
    ports: Ports
    /** Who calls, as the scope of the operation knows its callers. */
    caller: unknown
  }
  interface FastifyInstance {
    knownPaths: KnownPaths
    /** For replies that are taken over from Fastify: the others report themselves. */
    reportReply: ReportReply
  }
}

export interface RoadOptions extends ReportOptions {
  worlds: Worlds
  paths: KnownPaths
  corsOrigins?: readonly string[] | undefined
  rateLimit?: RateLimit | undefined
}

/** The stations of every request, whatever document it belongs to, in their order. Those of its route come between. */
export function addStations(app: FastifyInstance, options: RoadOptions): void {
  const { worlds, paths, timer, corsOrigins = [], rateLimit } = options
  const report = createReplyReport(options)
  app.decorate('knownPaths', { getter: () => paths })
  app.decorate('reportReply', report)
  app.decorateRequest('ports')
  app.decorateRequest('caller')
  app.decorateRequest('notes')

  // As it comes in.
  app.addHook('onRequest', startNotes(timer))
  app.addHook('onRequest', enterWorld(worlds))
  app.addHook('onRequest', meetFaults('arrival'))
  app.addHook('onRequest', recordCall)
  if (corsOrigins.length > 0) app.addHook('onRequest', allowOrigins(corsOrigins))
  if (rateLimit) app.addHook('onRequest', limitRate(rateLimit))
  app.addHook('onRequest', refuseUnknownPath(paths))
  // As its body has been parsed.
  app.addHook('preValidation', meetFaults('read'))
  app.addHook('preValidation', awaitTurn)
  // As its reply leaves.
  app.addHook('onSend', readWhatIsRefused)
  app.addHook('onSend', meetFaultsOfReply)
  app.addHook('onSend', sendReply(report))
}

export interface RouteRules {
  admit: (request: FastifyRequest, reply: FastifyReply) => unknown
  /** Whether the operation takes a body, and JSON whatever its content type says. */
  takesBody: boolean
  anyType: boolean
  form?: FileForm | undefined
  /** Refuses what this caller may not ask for, before the rest of the input is checked. */
  judge?: ((request: FastifyRequest) => void) | undefined
  checkInput: (request: FastifyRequest) => void
}

/** The stations of an operation, in their order: behind those of every request, before its function. */
export function stationsOf({ admit, takesBody, anyType, form, judge, checkInput }: RouteRules) {
  const onRequest: onRequestHookHandler[] = [admitCaller(admit)]
  if (!takesBody) onRequest.push(ignoreBodyType)
  else {
    if (anyType) onRequest.push(takeAnyType)
    onRequest.push(refuseEncodedBody)
  }
  // The body is parsed by the scope's parser: JSON, a form, XML.
  const preValidation: preValidationHookHandler[] = []
  if (form) preValidation.push(readFileForm(form))
  if (judge) preValidation.push(check(judge))
  preValidation.push(check(checkInput))
  return { onRequest, preValidation }
}

function startNotes(timer: () => number): onRequestHookHandler {
  return (request, reply, done) => {
    request.notes = new RequestNotes(request.routeOptions.config, timer())
    reply.header('x-request-id', request.id)
    done()
  }
}

/** Nothing else of the request has been looked at when its caller is known. */
function admitCaller(admit: RouteRules['admit']): onRequestHookHandler {
  return (request, reply, done) => {
    const caller = admit(request, reply)
    if (!(caller instanceof Promise)) {
      request.caller = caller
      done()
    } else {
      caller.then((admitted) => {
        request.caller = admitted
        return done()
      }, done)
    }
  }
}

function check(rule: (request: FastifyRequest) => void): preValidationHookHandler {
  return (request, _reply, done) => {
    rule(request)
    done()
  }
}

/**
 * Reports every reply just before it leaves, so that whoever has it finds it counted and journaled; hearing when it has
 * left would cost each request two listeners. What is sent of it may vary, what is reported does not. Replies that were
 * taken over from Fastify, such as streams, have been reported by then.
 */
function sendReply(report: ReportReply): onSendHookHandler {
  return (request, reply: FastifyReply, payload, done) => {
    const text = typeof payload === 'string' ? payload : undefined
    if (!varies(request)) {
      report(request, reply, text)
      done(null, payload)
    } else {
      varyReply(request, reply, payload, (varied) => {
        report(request, reply, text)
        done(null, varied)
      })
    }
  }
}
