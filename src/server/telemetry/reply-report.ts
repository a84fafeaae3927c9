import { finished, type Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { DomainError } from '../domain/errors.ts'
import { CLIENT_LEFT, hasLeft } from '../http/connection/client-left.ts'
import { LEFT_EARLY, LEFT_UNANSWERED, toDomainError } from '../http/errors.ts'
import { httpStatuses } from '../http/json-errors.ts'
import { callerTypeOf, recordRefusal, operationOf, displayedRequestId } from '../http/request-context.ts'
import { ReceivedExchange } from '../journal/exchange.ts'
import { journalRequest } from '../journal/journaled-requests.ts'
import type { CapturedExchange } from '../ports/exchange.ts'
import { finishRecordedCall } from '../recording/recorded-calls.ts'
import { countRequest, type RequestCounts } from './metrics.ts'
import { endSpan, displayedPath } from './spans.ts'

/** A stream, or a body that may be too long for the operating system to accept in one write. */
export type LongReply = Readable | string | Uint8Array

/** If `long` is present, the report waits until the response has been sent completely. */
export type ReportReply = (request: FastifyRequest, reply: FastifyReply, text?: string, long?: LongReply) => void

export type Logger = FastifyBaseLogger & { isLevelEnabled(level: 'info' | 'warn'): boolean }

export interface ReportOptions {
  timer: () => number
  counts: RequestCounts
  journal: boolean
  logger?: Logger | undefined
}

export function createReplyReport({ timer, counts, journal, logger }: ReportOptions): ReportReply {
  return (request, reply, text = '', long) => {
    const { context } = request
    // If the address of a request cannot be decoded, the first hook does not run, so the request has no context.
    if (!context) return
    const { startedAt, recorded } = context
    const ms = timer() - startedAt
    const left = context.unread || hasLeft(request)
    const { complete, refused } = request.raw
    const brokeOff = refused !== undefined || (left && (!complete || context.unread))
    if (refused) {
      reply.code(httpStatuses[refused.code])
      recordRefusal(request, refused)
    } else if (brokeOff) {
      context.unanswered = true
      const reason = request.server.closing.aborted ? CUT_BY_CLOSING : LEFT_EARLY
      if (!context.unread) recordRefusal(request, new DomainError('client-left', reason, { source: null }))
    }
    const status = left && !refused ? CLIENT_LEFT : context.unanswered ? undefined : reply.statusCode
    if (status !== undefined) countRequest(counts, request, status, ms)
    let exchange: CapturedExchange | undefined
    // A request whose body is incomplete cannot be replayed, so it does not become a step of a case.
    if (brokeOff) recorded?.recorder.release(recorded)
    if (journal || (recorded && !brokeOff)) {
      const sent = refused ? '' : text
      const isJournaled = journal && isVendorTraffic(request.url)
      exchange = isJournaled ? journalRequest(request, reply, sent, ms) : new ReceivedExchange(request, reply, sent)
      if (recorded && !brokeOff) finishRecordedCall(recorded, request, exchange)
    }
    const isLong = long !== undefined && !left && !refused
    if (context.span && isEventStream(reply)) reply.raw.once('close', () => endSpan(request, reply))
    else if (context.span && !isLong) endSpan(request, reply)
    if (!isLong) return logRequest(logger, request, status, ms)
    finished(reply.raw, (error) => {
      if (context.span && !isEventStream(reply)) endSpan(request, reply)
      // Node may report a response as finished although its last write has failed.
      const hasFailed = error || hasLeft(request) || request.raw.socket.errored
      const reason = hasFailed ? describeEnd(request, long) : undefined
      if (exchange) exchange.aborted = reason !== undefined
      logRequest(logger, request, status, timer() - startedAt, reason)
    })
  }
}

const isEventStream = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('text/event-stream')

const LONG = 64 * 1024
const CUT_BY_CLOSING = 'the server closed before the request was complete'

/** Short responses are not awaited: the end of the write does not show that they were read, and listeners cost time. */
export function findLong(payload: unknown): LongReply | undefined {
  if (typeof payload === 'string') return payload.length > LONG ? payload : undefined
  if (payload instanceof Uint8Array) return payload.byteLength > LONG ? payload : undefined
  return typeof payload === 'object' && payload !== null ? (payload as Readable) : undefined
}

function describeEnd(request: FastifyRequest, long: LongReply): string {
  const { server, context } = request
  const { throttling, faults = [] } = context
  const failure = typeof long === 'object' && 'errored' in long ? long.errored : undefined
  if (failure) return toDomainError(failure, request).message
  if (throttling && 'cut' in throttling) return `a fault cut off the response: ${faults.join(', ')}`
  if (server.closing.aborted) return 'the server closed before the response was complete'
  return 'the client disconnected or stopped reading before the response was complete'
}

/** `status` is undefined if a fault suppressed the response. */
function logRequest(
  logger: Logger | undefined,
  request: FastifyRequest,
  status: number | undefined,
  ms: number,
  brokeOff?: string,
): void {
  if (!logger?.isLevelEnabled('info')) return
  const { refusal, traceId, faults } = request.context
  const level = isRoutine(request) && (status ?? 500) < 400 ? 'debug' : 'info'
  logger[level](
    {
      world: request.ports.world.name,
      reqId: displayedRequestId(request),
      method: request.method,
      path: displayedPath(request),
      route: request.context.route.url ?? 'unknown',
      operation: operationOf(request),
      ...(status !== undefined && { status }),
      ms: Math.round(ms * 100) / 100,
      caller: callerTypeOf(request),
      ...(faults && { faults }),
      ...(traceId !== undefined && { traceId }),
      ...(brokeOff !== undefined && { aborted: true, reason: brokeOff }),
      ...(status === CLIENT_LEFT && !refusal && { reason: LEFT_UNANSWERED }),
      ...(refusal && {
        refused: refusal.code,
        reason: refusal.message,
        rule: refusal.source ?? refusal.findings[0]?.source,
      }),
    },
    'request',
  )
}

/**
 * The console, health probes, scrapers of metrics and `vendor-cloud logs --follow` send many requests. The requests of
 * clients would be hard to find among them.
 */
function isRoutine(request: FastifyRequest): boolean {
  const { headers, context } = request
  const { url = '' } = context.route
  if (/^\/(?:_console|health|metrics)/.test(url) || operationOf(request) === 'listJournal') return true
  return url.startsWith('/_control') && headers['sec-fetch-site'] === 'same-origin'
}
