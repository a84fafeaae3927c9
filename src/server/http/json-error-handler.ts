import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import type { ChoiceValues } from '#contract/records/control/choice-values.ts'
import type { DomainError, ErrorCode } from '../domain/errors.ts'
import { CLIENT_LEFT, ClientLeft } from './connection/client-left.ts'
import { citeRules, InjectedFault, toDomainError } from './errors.ts'
import { recordRefusal } from './request-context.ts'
import { errorMapping, JSON_TYPE, type Statuses, httpStatuses, toErrorBody } from './json-errors.ts'

interface JsonErrorOptions {
  /** If true, only operations that declare 503 return 503. All other operations return 500 instead. */
  onlyWhereDeclared?: boolean
  shaped?: boolean
}

export function createJsonErrorHandler(
  statuses: Statuses,
  { onlyWhereDeclared = true, shaped }: JsonErrorOptions = {},
) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (thrown instanceof ClientLeft) return endAbandoned(request, reply)
    const error = toDomainError(thrown, request)
    recordRefusal(request, error)
    const injected = error instanceof InjectedFault ? toInjected(error, request) : undefined
    const status = injected?.status ?? (onlyWhereDeclared ? statusOf(error, statuses, request) : statuses[error.code])
    const body = injected ? { requestId: request.id, error: injected.error } : toErrorBody(error, request.id)
    const { ports, url } = request
    // Without ports, the address could not be decoded. Pages of vendor-cloud always use the default shape.
    const shape = shaped && ports && isVendorTraffic(url) ? ports.world.choices['error-shape'] : 'envelope'
    const { type, value } =
      shape === 'envelope' ? { type: JSON_TYPE, value: body } : shapeError(shape, body, status, request)
    reply.code(status)
    if (status === 429 && !injected && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER)
    // A response to HEAD has no body, so the header must list all rules.
    citeRules(reply, error, request.method !== 'HEAD' && (shape === 'envelope' || shape === 'problem'))
    if (type === undefined) return reply.send()
    // The error body is the same for all routes, so it is not written with the response schema of the route.
    return reply.header('content-type', type).serializer(JSON.stringify).send(value)
  }
}

/** Seconds. The value is fixed, because the server cannot know when a heavy job or a stream will end. */
const RETRY_AFTER = '1'

function endAbandoned(request: FastifyRequest, reply: FastifyReply): void {
  request.context.unanswered = true
  request.server.reportReply(request, reply.code(CLIENT_LEFT))
  reply.hijack()
}

/** Uses the message that the document declares. A fault in the format of another API becomes a 500. */
function toInjected({ respond }: InjectedFault, { routeOptions }: FastifyRequest) {
  const { status, code } = 'status' in respond ? respond : { status: 500, code: undefined }
  const [known] = Object.entries(httpStatuses).find(([, each]) => each === status) ?? ['internal']
  const declared = routeOptions.config.describe?.().words?.[status]
  const message = declared ?? (STATUS_CODES[status] ?? 'failure').toLowerCase()
  return { status, error: { code: code ?? errorMapping[known as ErrorCode][1], message, details: [] } }
}

/** `unavailable` becomes 503 if the operation declares 503, and 500 otherwise. */
function statusOf({ code }: DomainError, statuses: Statuses, { routeOptions }: FastifyRequest): number {
  const declared = code === 'unavailable' ? routeOptions?.config.describe?.().response : undefined
  return declared && !('503' in declared) ? 500 : statuses[code]
}

interface Envelope {
  error: Pick<ReturnType<typeof toErrorBody>['error'], 'message' | 'details'>
}

/** Applies our choice `error-shape`. `value` is absent if the response has no body. */
function shapeError(
  shape: Exclude<ChoiceValues['error-shape'], 'envelope'>,
  { error: { message, details } }: Envelope,
  status: number,
  { ports, url }: FastifyRequest,
): { type?: string; value?: unknown } {
  if (shape === 'empty') return {}
  const title = STATUS_CODES[status] ?? 'Failure'
  if (shape === 'problem') {
    const errors = details.map(({ code, message, target, source }) => ({ code, message, target, source }))
    const value = { type: 'about:blank', title, status, detail: message, ...(errors.length > 0 && { errors }) }
    return { type: 'application/problem+json', value }
  }
  const [path] = url.split('?', 1)
  const value = {
    timestamp: new Date(ports.clock.now()).toISOString(),
    status,
    error: title,
    message: details.length > 0 ? details.map((each) => each.message).join('; ') : message,
    path,
  }
  return { type: JSON_TYPE, value }
}
