import type { FastifyContextConfig, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { DomainError } from '../domain/errors.ts'
import type { Identity } from '../domain/identity.ts'
import type { Ports } from '../ports.ts'
import type { ReadMessage } from '../ports/exchange.ts'
import type { JournalRecord } from '../ports/journal.ts'
import type { RecordedCall } from '../ports/recorder.ts'
import type { OpenSpan } from '../ports/tracing.ts'
import type { Throttling } from '#contract/records/control/fault-response.ts'
import type { CallerType } from '#contract/records/control/request-match.ts'
import type { VariationKind } from '#contract/records/control/variation.ts'
import { REDACTED } from '#contract/records/secret-names.ts'

type RouteContext = FastifyContextConfig & { url?: string }

/** All fields are initialized, so that all objects have the same hidden class in V8. */
export class RequestContext {
  /** Stored here because Fastify creates a new object whenever the route is read. */
  readonly route: RouteContext
  readonly startedAt: number
  operation: string | undefined = undefined
  identity: Identity | undefined = undefined
  /** The caller of a request without an identity of document 1, such as the user of an access token. */
  caller: string | undefined = undefined
  /** The body as it was sent. `request.body` later contains only the output of the route's schema. */
  sent: unknown = undefined
  sentText: string | undefined = undefined
  readMessage: ReadMessage | undefined = undefined
  refusal: DomainError | undefined = undefined
  /** Error code of a response whose format is not the JSON error body. */
  refusalCode: string | undefined = undefined
  faults: string[] | undefined = undefined
  /** True if a fault has produced the response. No other fault may then apply to it. */
  isFaultsAnswer = false
  /** True if the operation succeeded before a fault changed or lost its response. */
  isProcessed = false
  /** True if a fault specified the response verbatim. Variation does not apply to it. */
  isGiven = false
  throttling: Throttling | undefined = undefined
  /** True if a fault closed the connection, or left the connection open without a response. */
  unanswered = false
  unread = false
  journalId: number | undefined = undefined
  /** Written while the response is delayed. */
  arrival: JournalRecord | undefined = undefined
  tookOver = false
  variation: VariationKind[] | undefined = undefined
  recorded: RecordedCall | undefined = undefined
  traceId: string | undefined = undefined
  span: OpenSpan | undefined = undefined

  constructor(route: RouteContext, startedAt: number) {
    this.route = route
    this.startedAt = startedAt
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext
  }
}

export function startRequestContext(
  timer: () => number,
  beginTrace: (request: FastifyRequest) => Promise<void> | undefined,
): onRequestHookHandler {
  return (request, reply, done) => {
    request.context = new RequestContext(request.routeOptions.config, timer())
    reply.header('x-request-id', request.id)
    const begun = beginTrace(request)
    if (begun) begun.then(() => done(), done)
    else done()
  }
}

/** Returns ports that link streams and all later work to the span of this request. */
export function portsOfCause({ ports, context: { span } }: Pick<FastifyRequest, 'ports' | 'context'>): Ports {
  return span ? { ...ports, cause: span.reference } : ports
}

export function operationOf({ context }: Pick<FastifyRequest, 'context'>): number | string | undefined {
  return context.operation ?? context.route.operation
}

export function callerOf({ context }: Pick<FastifyRequest, 'context'>): string | undefined {
  if (context.caller !== undefined) return context.caller
  const userId = context.identity?.userId
  // Removes the prefix up to the colon, which indicates the kind of ID.
  return userId?.slice(userId.indexOf(':') + 1)
}

export function callerTypeOf({ context: { identity } }: Pick<FastifyRequest, 'context'>): CallerType {
  if (identity?.companyId) return 'dealer'
  if (identity?.userId) return 'user'
  return identity ? 'guest' : 'other'
}

export function recordRefusal({ context }: Pick<FastifyRequest, 'context'>, error: DomainError, code?: string): void {
  if (!context) return
  context.refusal = error
  context.refusalCode = code
}

const LONG = /[A-Za-z\d]{20}/
/** Generated tokens and keys have both cases and digits. Stream keys are hexadecimal and do not match. */
const GENERATED = /(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z\d]{20,}/g
const STREAM_KEY = /[\da-f]{32}/g
/** Number of characters of a secret that logs show. This is enough to distinguish requests, but useless for access. */
const VISIBLE_CHARACTERS = 6

/** More people can read logs than responses, so a secret in a request ID is shortened in logs. */
export function displayedRequestId({ id, ports }: Pick<FastifyRequest, 'id' | 'ports'>): string {
  if (!LONG.test(id)) return id
  const { streamKeys } = ports.state
  return id.replace(GENERATED, cut).replace(STREAM_KEY, (word) => (streamKeys.has(word) ? cut(word) : word))
}

const cut = (secret: string) => `${secret.slice(0, VISIBLE_CHARACTERS)}${REDACTED}`
