import type { FastifyContextConfig, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { DomainError } from '../domain/errors.ts'
import type { Identity } from '../domain/identity.ts'
import type { Ports } from '../ports.ts'
import type { ReadMessage } from '../ports/exchange.ts'
import type { JournalRecord } from '../ports/journal.ts'
import type { RecordedCall } from '../ports/recorder.ts'
import type { OpenSpan } from '../ports/tracing.ts'
import type { Throttling } from '../../contract/records/control/fault-response.ts'
import type { VariationKind } from '../../contract/records/control/variation.ts'

/** The notes of the route as it was registered; no url where no path is known. */
type RouteNotes = FastifyContextConfig & { url?: string }

/**
 * Notes about a request on its way: stations and documents write them, and the report of its reply reads it for
 * log line, journal, case and metrics. All fields from the start: requests stay of one shape, which V8 reads fastest.
 */
export class RequestNotes {
  /** The route it is for: asking Fastify builds a new object every time. */
  readonly route: RouteNotes
  /** By the app's timer. */
  readonly startedAt: number
  /** An operation that only the body tells, such as a SOAP call's. */
  operation: string | undefined = undefined
  /** The caller of document 1. */
  identity: Identity | undefined = undefined
  /** The caller where it is not document 1's identity. */
  caller: string | undefined = undefined
  /** The body as it was sent: what the request holds of it later is what the route's schema made of it. */
  sent: unknown = undefined
  sentText: string | undefined = undefined
  readMessage: ReadMessage | undefined = undefined
  refusal: DomainError | undefined = undefined
  /** The refusal's code as it was answered, in a dialect that is not the JSON error body's. */
  refusalCode: string | undefined = undefined
  /** Faults that struck, by their names or ids. */
  faults: string[] | undefined = undefined
  /** A fault has answered: no other strikes that answer. */
  isFaultsAnswer = false
  /** It answered word for word: the text does not vary. */
  isGiven = false
  throttling: Throttling | undefined = undefined
  /** A fault has cut the connection, or left it without an answer, before one had begun. */
  unanswered = false
  /** Its place in the journal: behind the entries that were there when it came. */
  place: number | undefined = undefined
  journaled: { id: number; record: JournalRecord } | undefined = undefined
  /** A stream that was live has ended for the one that it opened. */
  tookOver = false
  variation: VariationKind[] | undefined = undefined
  recorded: RecordedCall | undefined = undefined
  /** The trace that it belongs to, by its span or by the `traceparent` that was sent. */
  traceId: string | undefined = undefined
  /** Its span, while somebody takes spans. */
  span: OpenSpan | undefined = undefined

  constructor(route: RouteNotes, startedAt: number) {
    this.route = route
    this.startedAt = startedAt
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    notes: RequestNotes
  }
}

/** `beginTrace` notes which trace the request belongs to; it is to be awaited, if it gives anything. */
export function startNotes(
  timer: () => number,
  beginTrace: (request: FastifyRequest) => Promise<void> | undefined,
): onRequestHookHandler {
  return (request, reply, done) => {
    request.notes = new RequestNotes(request.routeOptions.config, timer())
    reply.header('x-request-id', request.id)
    const begun = beginTrace(request)
    if (begun) begun.then(() => done(), done)
    else done()
  }
}

/** Ports for work that goes on in streams, or later: what comes of it links to the span of this call. */
export function portsOfCause({ ports, notes: { span } }: Pick<FastifyRequest, 'ports' | 'notes'>): Ports {
  return span ? Object.assign(Object.create(ports) as Ports, { cause: span.reference }) : ports
}

export function operationOf({ notes }: Pick<FastifyRequest, 'notes'>): number | string | undefined {
  return notes.operation ?? notes.route.operation
}

export function callerOf({ notes }: Pick<FastifyRequest, 'notes'>): string | undefined {
  if (notes.caller !== undefined) return notes.caller
  const userId = notes.identity?.userId
  // Behind profile: or guid:.
  return userId?.slice(userId.indexOf(':') + 1)
}

/** An address that cannot be decoded is refused before it has notes. */
export function noteRefusal({ notes }: FastifyRequest, error: DomainError, code?: string): void {
  if (!notes) return
  notes.refusal = error
  notes.refusalCode = code
}
