import type { FastifyContextConfig, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { DomainError } from '../domain/errors.ts'
import type { Identity } from '../domain/identity.ts'
import type { Ports } from '../ports.ts'
import type { ReadMessage } from '../ports/exchange.ts'
import type { JournalRecord } from '../ports/journal.ts'
import type { RecordedCall } from '../ports/recorder.ts'
import type { OpenSpan } from '../ports/tracing.ts'
import type { Throttling } from '#contract/records/control/fault-response.ts'
import type { VariationKind } from '#contract/records/control/variation.ts'
import { REDACTED } from '#contract/records/secret-names.ts'

/** Absent where no path is known. */
type RouteContext = FastifyContextConfig & { url?: string }

/**
 * Hooks and documents write it, and the report of the response reads it. All fields exist from the start, so that V8
 * keeps one hidden class.
 */
export class RequestContext {
  /** Fastify builds a new object whenever it is asked for the route. */
  readonly route: RouteContext
  /** Measured by the app's timer. */
  readonly startedAt: number
  /** Some operations depend on the body, such as a SOAP call. */
  operation: string | undefined = undefined
  identity: Identity | undefined = undefined
  /** Set where the caller is not document 1's identity. */
  caller: string | undefined = undefined
  /** Later the request holds only what the route's schema made of the body. */
  sent: unknown = undefined
  sentText: string | undefined = undefined
  readMessage: ReadMessage | undefined = undefined
  refusal: DomainError | undefined = undefined
  /** Set in dialects other than the JSON error body's. */
  refusalCode: string | undefined = undefined
  /** Names or IDs of the applied faults. */
  faults: string[] | undefined = undefined
  /** No other fault may apply to the response of a fault. */
  isFaultsAnswer = false
  /** The fault gave the text word for word, so it does not vary. */
  isGiven = false
  throttling: Throttling | undefined = undefined
  /** A fault ended or left the connection before an answer had begun. */
  unanswered = false
  /** The client left before its body was read. */
  unread = false
  journalId: number | undefined = undefined
  /** Journaled while its reply is held up. */
  arrival: JournalRecord | undefined = undefined
  /** The request opened a stream that ended a live one. */
  tookOver = false
  variation: VariationKind[] | undefined = undefined
  recorded: RecordedCall | undefined = undefined
  /** Known from its span, or from the `traceparent` that was sent. */
  traceId: string | undefined = undefined
  /** Open while spans are exported. */
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

/** `beginTrace` may have to be awaited. */
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

/** Work in streams, or later, links to the span of this call. */
export function portsOfCause({ ports, context: { span } }: Pick<FastifyRequest, 'ports' | 'context'>): Ports {
  return span ? { ...ports, cause: span.reference } : ports
}

export function operationOf({ context }: Pick<FastifyRequest, 'context'>): number | string | undefined {
  return context.operation ?? context.route.operation
}

export function callerOf({ context }: Pick<FastifyRequest, 'context'>): string | undefined {
  if (context.caller !== undefined) return context.caller
  const userId = context.identity?.userId
  // The kind before the colon is dropped.
  return userId?.slice(userId.indexOf(':') + 1)
}

/** A request whose address cannot be decoded has no notes. */
export function recordRefusal({ context }: FastifyRequest, error: DomainError, code?: string): void {
  if (!context) return
  context.refusal = error
  context.refusalCode = code
}

const LONG = /[A-Za-z\d]{20}/
/** Generated tokens and keys mix both cases and digits. The key of a stream is hexadecimal. */
const GENERATED = /(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z\d]{20,}/g
const STREAM_KEY = /[\da-f]{32}/g
/** Displayed letters of a secret: enough to distinguish requests, and useless for access. */
const MAX_SUGGESTIONS = 6

/** A log has more readers than a response, so a secret in a request ID is cut there. */
export function displayedRequestId({ id, ports }: Pick<FastifyRequest, 'id' | 'ports'>): string {
  if (!LONG.test(id)) return id
  const { streamKeys } = ports.state
  return id.replace(GENERATED, cut).replace(STREAM_KEY, (word) => (streamKeys.has(word) ? cut(word) : word))
}

const cut = (secret: string) => `${secret.slice(0, MAX_SUGGESTIONS)}${REDACTED}`
