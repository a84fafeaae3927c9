import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DomainError, ErrorCode } from '../domain/errors.ts'
import { shapeError, shapeFor } from './error-shapes.ts'
import { InjectedFault, toDomainError } from './errors.ts'
import { noteRefusal } from './request-notes.ts'
import { drawings, type Statuses, httpStatuses, toErrorBody } from './json-errors.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

interface JsonErrorOptions {
  /** Whether 503 is answered only by operations that declare it; a document's others answer 500. */
  onlyWhereDeclared?: boolean
  /** RFC 6750: a 401 says what would help. */
  challenge?: string
  /** Whether findings have the field `source`; those of a document's body are as the document has them. */
  sources?: boolean
  /** Whether the world's `error-shape` is that of its bodies: of documents 1 and 2a, and of paths that are unknown. */
  shaped?: boolean
}

export function createJsonErrorHandler(
  statuses: Statuses,
  { onlyWhereDeclared = true, challenge, sources, shaped }: JsonErrorOptions = {},
) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toDomainError(thrown, request)
    noteRefusal(request, error)
    const injected = error instanceof InjectedFault ? toInjected(error, request) : undefined
    const status = injected?.status ?? (onlyWhereDeclared ? statusOf(error, statuses, request) : statuses[error.code])
    if (status === 401 && challenge) reply.header('www-authenticate', challenge)
    // No hook has set it for an address that cannot be decoded.
    reply.header('x-request-id', request.id)
    const body = injected ? { requestId: request.id, error: injected.error } : toErrorBody(error, request.id, sources)
    const shape = shaped ? shapeFor(request) : 'envelope'
    const { type, value } =
      shape === 'envelope' ? { type: JSON_TYPE, value: body } : shapeError(shape, body, status, request)
    reply.code(status)
    if (type === undefined) return reply.send()
    // The body is the same for every route, so it is written here and not by the route's own schemas.
    return reply.header('content-type', type).serializer(JSON.stringify).send(value)
  }
}

/**
 * The failure that a fault of the control API asks for, in the words that the document or HTTP has for the status;
 * faults of the other dialects are a plain 500 here.
 */
function toInjected({ respond }: InjectedFault, { routeOptions }: FastifyRequest) {
  const { status, code } = 'status' in respond ? respond : { status: 500, code: undefined }
  const [known] = Object.entries(httpStatuses).find(([, each]) => each === status) ?? ['internal']
  const declared = routeOptions.config.describe?.().words?.[status]
  const message = declared ?? (STATUS_CODES[status] ?? 'failure').toLowerCase()
  return { status, error: { code: code ?? drawings[known as ErrorCode][1], message, details: [] } }
}

/** An engine that is away is a 503 only where an operation declares it, else a 500. */
function statusOf({ code }: DomainError, statuses: Statuses, { routeOptions }: FastifyRequest): number {
  const declared = code === 'unavailable' ? routeOptions?.config.describe?.().response : undefined
  return declared && !('503' in declared) ? 500 : statuses[code]
}
