import type { FastifyReply, FastifyRequest } from 'fastify'
import { operationOf } from '../http/request-notes.ts'
import { keepExchange } from './exchange.ts'
import { journalArrival, journalRequest } from './journaled-requests.ts'
import { finishRecordedCall } from './recorded-calls.ts'
import type { RequestCounts } from './metrics.ts'
import { shownPath } from './shown-path.ts'
import { endSpan } from './spans.ts'

export type ReportReply = (request: FastifyRequest, reply: FastifyReply, text?: string) => void

export interface ReportOptions {
  /** Real time in milliseconds, with fractions, for the durations of requests. */
  timer: () => number
  counts: RequestCounts
  journal: boolean
  log: boolean
}

export function createReplyReport({ timer, counts, journal, log }: ReportOptions): ReportReply {
  return (request, reply, text = '') => {
    const { notes } = request
    // A request whose address cannot be decoded never reached the first station.
    if (!notes) return
    const { startedAt, recorded } = notes
    const ms = timer() - startedAt
    counts.add(request, reply.statusCode)
    let id: number | undefined
    if (journal || recorded) {
      const exchange = keepExchange(request, reply, text)
      if (journal) id = journalRequest(request, exchange, ms)
      if (recorded) finishRecordedCall(recorded, request, exchange)
    }
    if (notes.span) endSpan(request, reply, id)
    if (log) logRequest(request, reply, ms)
  }
}

export type ReportArrival = (request: FastifyRequest) => void

export function createArrivalReport({ journal }: Pick<ReportOptions, 'journal'>): ReportArrival {
  return journal ? journalArrival : () => {}
}

function logRequest(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { refusal, traceId } = request.notes
  const level = isOfOwnPage(request) && reply.statusCode < 400 ? 'debug' : 'info'
  request.log[level](
    {
      method: request.method,
      path: shownPath(request),
      route: request.notes.route.url ?? 'unknown',
      operation: operationOf(request),
      status: reply.statusCode,
      ms: Math.round(ms * 100) / 100,
      caller: callerKind(request),
      ...(traceId !== undefined && { traceId }),
      ...(refusal && {
        refused: refusal.code,
        reason: refusal.message,
        rule: refusal.source ?? refusal.findings[0]?.source,
      }),
    },
    'request',
  )
}

/** The console asks so often that its calls would hide those of clients. */
function isOfOwnPage({ headers, notes: { route } }: FastifyRequest): boolean {
  const { url = '' } = route
  return url.startsWith('/_console') || (url.startsWith('/_control') && headers['sec-fetch-site'] === 'same-origin')
}

function callerKind({ notes: { identity } }: FastifyRequest): string {
  if (identity?.companyId) return 'dealer'
  if (identity?.userId) return 'user'
  return identity ? 'guest' : 'other'
}
