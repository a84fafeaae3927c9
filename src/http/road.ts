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
import { meetFaults, meetsFaults, strikeAnswer } from './fault-injection.ts'
import { type FileForm, readFileForm } from './input/file-form.ts'
import { ignoreBodyType, refuseEncodedBody, takeAnyType } from './input/request-rules.ts'
import { beginRecorded, takeTurn } from './journal/recorded-calls.ts'
import type { RequestCounts } from './journal/request-counts.ts'
import { createWitness } from './journal/witness.ts'
import type { KnownPaths } from './known-paths.ts'
import { limitRate, type RateLimit } from './rate-limit.ts'
import { notesOf, RequestNotes, type Witness } from './request-notes.ts'
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
  }
}

export interface RoadOptions {
  worlds: Worlds
  paths: KnownPaths
  /** Real time in milliseconds, finer than they are, which requests are timed by. */
  timer: () => number
  counts: RequestCounts
  journal: boolean
  log: boolean
  corsOrigins?: readonly string[] | undefined
  rateLimit?: RateLimit | undefined
}

/** The stations of every request, whatever document it belongs to, in their order. Those of its route come between. */
export function addStations(app: FastifyInstance, options: RoadOptions): void {
  const { worlds, paths, timer, corsOrigins = [], rateLimit } = options
  app.decorate('knownPaths', { getter: () => paths })
  app.decorateRequest('ports')
  app.decorateRequest('caller')
  app.decorateRequest('notes')

  // As it comes in.
  app.addHook('onRequest', startNotes(timer, createWitness(options)))
  app.addHook('onRequest', enterWorld(worlds))
  app.addHook('onRequest', meetFaults('arrival'))
  app.addHook('onRequest', beginRecorded)
  if (corsOrigins.length > 0) app.addHook('onRequest', allowOrigins(corsOrigins))
  if (rateLimit) app.addHook('onRequest', limitRate(rateLimit))
  app.addHook('onRequest', refuseUnknownPath(paths))
  // As its body has been parsed.
  app.addHook('preValidation', meetFaults('read'))
  app.addHook('preValidation', takeTurn)
  // As its answer leaves.
  app.addHook('onSend', readWhatIsRefused)
  app.addHook('onSend', tellOfAnswer)
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

function startNotes(timer: () => number, witness: Witness): onRequestHookHandler {
  return (request, reply, done) => {
    request.notes = new RequestNotes(request.routeOptions.config, timer(), witness)
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
 * Tells of every answer just before it leaves, so that whoever has it finds it counted and journaled. Hearing when it
 * has left would cost each request two listeners. Replies taken over from Fastify, such as streams, tell it themselves.
 */
const tellOfAnswer: onSendHookHandler = (request, reply: FastifyReply, payload, done) => {
  const tell = (sent: unknown) => {
    const text = typeof sent === 'string' ? sent : undefined
    const leave = (varied: unknown) => {
      notesOf(request).witness(request, reply, text)
      done(null, varied)
    }
    if (varies(request)) varyReply(request, reply, sent, leave)
    else leave(sent)
  }
  if (request.is404 || !meetsFaults(request)) tell(payload)
  else strikeAnswer(request, reply, payload).then((left) => left && tell(left.payload), done)
}
