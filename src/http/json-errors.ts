import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { DomainError, ErrorCode } from '../domain/errors.ts'
import { toDomainError } from './errors.ts'
import { InjectedFault } from './fault-injection.ts'
import { noteRefusal } from './request-notes.ts'

/** The codes of our JSON error body; the interfaces declare statuses and show no body. */
const wireCodes = {
  'invalid-input': 'ConstraintViolationError',
  'missing-parameter': 'ConstraintViolationError',
  'invalid-parameter': 'ConstraintViolationError',
  'invalid-length': 'ConstraintViolationError',
  'invalid-country': 'ConstraintViolationError',
  malformed: 'MalformedRequestError',
  unauthenticated: 'UnauthorizedError',
  'invalid-token': 'UnauthorizedError',
  'expired-token': 'UnauthorizedError',
  forbidden: 'ForbiddenError',
  'not-found': 'NotFoundError',
  'method-not-allowed': 'MethodNotAllowedError',
  conflict: 'ConflictError',
  'slot-unavailable': 'SlotUnavailable',
  'limit-exceeded': 'LimitExceeded',
  'payload-too-large': 'PayloadTooLargeError',
  'unsupported-media-type': 'UnsupportedMediaTypeError',
  'too-many-requests': 'TooManyRequestsError',
  timeout: 'RequestTimeoutError',
  'headers-too-large': 'HeadersTooLargeError',
  unavailable: 'ServiceUnavailableError',
  closing: 'ServiceUnavailableError',
  internal: 'InternalServerError',
} as const satisfies Record<ErrorCode, string>

export type Statuses = Record<ErrorCode, number>

/** Statuses as HTTP means them: document 2a, the control API and whatever belongs to no document. */
export const httpStatuses = {
  'invalid-input': 400,
  'missing-parameter': 400,
  'invalid-parameter': 400,
  'invalid-length': 400,
  'invalid-country': 400,
  malformed: 400,
  unauthenticated: 401,
  'invalid-token': 401,
  'expired-token': 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'slot-unavailable': 409,
  'limit-exceeded': 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  timeout: 408,
  'headers-too-large': 431,
  unavailable: 503,
  closing: 503,
  internal: 500,
} as const satisfies Statuses

export interface Detail {
  code: string
  message: string
  target: string
  details: Detail[]
}

const detail: z.ZodType<Detail, Detail> = z.object({
  code: z.string(),
  message: z.string(),
  target: z.string(),
  details: z.array(z.any()),
})

export const errorBody = z.object({
  requestId: z.string(),
  error: z.object({ code: z.string(), message: z.string(), details: z.array(detail) }),
})

interface JsonErrorOptions {
  /** Whether 503 is answered only by operations that declare it; a document's others answer 500. */
  onlyWhereDeclared?: boolean
  /** RFC 6750: a 401 says what would help. */
  challenge?: string
}

/** Draws any error as our JSON error body, with the statuses of one document. */
export function createJsonErrorHandler(
  statuses: Statuses,
  { onlyWhereDeclared = true, challenge }: JsonErrorOptions = {},
) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toDomainError(thrown, request)
    noteRefusal(request, error)
    const injected = error instanceof InjectedFault ? toInjected(error) : undefined
    const status = injected?.status ?? (onlyWhereDeclared ? statusOf(error, statuses, request) : statuses[error.code])
    if (status === 401 && challenge) reply.header('www-authenticate', challenge)
    // No hook has set it for an address that cannot be decoded.
    reply.header('x-request-id', request.id)
    // The body is the same for every route, so it is written here and not by the route's own schemas.
    return reply
      .code(status)
      .header('content-type', 'application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(injected ? { requestId: request.id, error: injected.error } : toErrorBody(error, request.id))
  }
}

/** What a fault of the control API asks for; faults of the other dialects are a plain 500 here. */
function toInjected({ respond, message }: InjectedFault) {
  const { status, code } = 'status' in respond ? respond : { status: 500, code: undefined }
  const [known] = Object.entries(httpStatuses).find(([, each]) => each === status) ?? ['internal']
  return { status, error: { code: code ?? wireCodes[known as ErrorCode], message, details: [] } }
}

export function toErrorBody({ code, message, findings, source }: DomainError, requestId: string) {
  const details = findings.map(
    (finding): Detail => ({
      code: finding.code,
      message: cite(finding.message, finding.source),
      target: finding.target,
      details: [],
    }),
  )
  return { requestId, error: { code: wireCodes[code], message: cite(message, source), details } }
}

/** An engine that is away is a 503 only where an operation declares it, else a 500. */
function statusOf({ code }: DomainError, statuses: Statuses, { routeOptions }: FastifyRequest): number {
  const status = statuses[code]
  const declared = routeOptions?.schema?.response as Record<string, unknown> | undefined
  return code === 'unavailable' && declared && !('503' in declared) ? 500 : status
}

export function wireCodeOf(error: DomainError): string {
  if (error instanceof InjectedFault) return 'Fault'
  return wireCodes[error.code]
}

/** A sentence with the place its rule comes from. */
export function cite(message: string, source: string | undefined): string {
  return source ? `${message} (${source})` : message
}
