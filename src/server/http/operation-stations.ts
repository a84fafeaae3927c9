import type { FastifyReply, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import type { FileForm } from '#contract/operation.ts'
import { advanceRequests } from '../domain/appointments/courses.ts'
import { portsOfWork } from '../domain/work-ports.ts'
import { DomainError } from '../domain/errors.ts'

/** Stations read an operation's rules here; a route without rules passes them. */
export interface OperationRules {
  authenticate: (request: FastifyRequest, reply: FastifyReply) => unknown
  takesBody: boolean
  /** The body is JSON whatever its content type says. */
  anyType: boolean
  form: FileForm | undefined
  checkInput: (request: FastifyRequest) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rules?: OperationRules
  }
  interface FastifyRequest {
    /** The scope of the operation decides about its type. */
    caller: unknown
  }
}

/** Authentication precedes everything else of the request. */
export const authenticateCaller: onRequestHookHandler = (request, reply, done) => {
  const caller = request.notes.route.rules?.authenticate(request, reply)
  const enter = (authenticated: unknown) => {
    request.caller = authenticated
    done()
  }
  if (caller instanceof Promise) caller.then(enter, done)
  else enter(caller)
}

/** Documents 1 and 2 take no compressed bodies. */
export const checkBodyType: onRequestHookHandler = ({ notes: { route }, raw: { headers } }, _reply, done) => {
  if (!route.rules) return done()
  const { takesBody, anyType } = route.rules
  const type = headers['content-type']
  // Some clients send `Content-Type: application/json` with an empty body; deleting an absent header costs as much.
  const isIgnored = !takesBody || (anyType && !TYPE.test(type ?? ''))
  if (type !== undefined && isIgnored) delete headers['content-type']
  const encoding = headers['content-encoding']
  if (takesBody && encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported-media-type', `content-encoding ${encoding} is not taken`, {
      source: 'our choice: content-types',
    })
  }
  done()
}

/** Fastify itself refuses text that has not even the form of a type. */
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/

export const checkInput: preValidationHookHandler = (request, _reply, done) => {
  request.notes.route.rules?.checkInput(request)
  const { ports } = request
  if (ports.world.choices['ticket-progress'] === 'off') return done()
  // The clock moves requests before an operation sees them; a recording's chance draws for it.
  advanceRequests(portsOfWork(ports)).then(() => done(), done)
}
