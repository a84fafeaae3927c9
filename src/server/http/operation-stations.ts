import type { FastifyReply, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import type { FileForm } from '../../contract/operation.ts'
import { advanceRequests } from '../domain/appointments/courses.ts'
import { portsOfWork } from '../domain/work-ports.ts'
import { DomainError } from '../domain/errors.ts'

/** An operation's notes to the stations on its way; a route that is no operation passes them. */
export interface OperationRules {
  authenticate: (request: FastifyRequest, reply: FastifyReply) => unknown
  takesBody: boolean
  /** Whether its body is JSON whatever its content type says. */
  anyType: boolean
  form: FileForm | undefined
  checkInput: (request: FastifyRequest) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rules?: OperationRules
  }
  interface FastifyRequest {
    /** The caller, as the scope of the operation knows its callers. */
    caller: unknown
  }
}

/** Nothing else of the request has been looked at when its caller is known. */
export const authenticateCaller: onRequestHookHandler = (request, reply, done) => {
  const caller = request.notes.route.rules?.authenticate(request, reply)
  if (!(caller instanceof Promise)) {
    request.caller = caller
    done()
  } else {
    caller.then((authenticated) => {
      request.caller = authenticated
      return done()
    }, done)
  }
}

/** Bodies come as they are: document 1 and 2 take no compressed ones. */
export const checkBodyType: onRequestHookHandler = ({ notes: { route }, raw: { headers } }, _reply, done) => {
  if (!route.rules) return done()
  const { takesBody, anyType } = route.rules
  const type = headers['content-type']
  // Some clients send `Content-Type: application/json` with nothing; deleting what is not there costs as much.
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

/** Fastify itself refuses what is not even of the form of a type. */
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/

export const checkInput: preValidationHookHandler = (request, _reply, done) => {
  request.notes.route.rules?.checkInput(request)
  const { ports } = request
  if (ports.world.choices['ticket-progress'] === 'off') return done()
  // Operations find all requests where the clock has brought them, drawn by the recording's chance if there is one.
  advanceRequests(portsOfWork(ports)).then(() => done(), done)
}
