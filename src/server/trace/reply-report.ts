import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSecretName } from '../../contract/records/secret-names.ts'
import { operationOf } from '../http/request-notes.ts'
import { prefixOf } from '../http/addresses.ts'
import { keepExchange } from './exchange.ts'
import { journalArrival, journalRequest } from './journaled-requests.ts'
import { finishRecordedCall } from './recorded-calls.ts'
import { redactPath } from './redaction.ts'
import type { RequestCounts } from './metrics.ts'

/** Told of a reply that leaves, with its text where it has one. */
export type ReportReply = (request: FastifyRequest, reply: FastifyReply, text?: string) => void

export interface ReportOptions {
  /** Real time in milliseconds, finer than they are, which requests are timed by. */
  timer: () => number
  counts: RequestCounts
  journal: boolean
  log: boolean
}

/** Counts the request, keeps it in the journal and in the case that is recorded, and logs it. */
export function createReplyReport({ timer, counts, journal, log }: ReportOptions): ReportReply {
  return (request, reply, text = '') => {
    const { notes } = request
    // An address that cannot be decoded never came to the first station.
    if (!notes) return
    const { startedAt, recorded } = notes
    const ms = timer() - startedAt
    counts.add(request, reply.statusCode)
    if (journal || recorded) {
      const exchange = keepExchange(request, reply, text)
      if (journal) journalRequest(request, exchange, ms)
      if (recorded) finishRecordedCall(recorded, request, exchange)
    }
    if (log) logRequest(request, reply, ms)
  }
}

/** Told of a request whose reply is held up. */
export type ReportArrival = (request: FastifyRequest) => void

export function createArrivalReport({ journal }: Pick<ReportOptions, 'journal'>): ReportArrival {
  return journal ? journalArrival : () => {}
}

function logRequest(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { refusal } = request.notes
  request.log.info(
    {
      method: request.method,
      path: shownPath(request),
      route: request.notes.route.url ?? 'unknown',
      operation: operationOf(request),
      status: reply.statusCode,
      ms: Math.round(ms * 100) / 100,
      caller: callerKind(request),
      ...(refusal && {
        refused: refusal.code,
        reason: refusal.message,
        rule: refusal.source ?? refusal.findings[0]?.source,
      }),
    },
    'request',
  )
}

/** A part of an unknown path that may be a key or a token. */
const LONG_PART = /\/(?=[^/]*\d)[^/]{20,}/g

/** Without the query, and without parameters that are keys or tokens. */
function shownPath(request: FastifyRequest): string {
  const { url: pattern } = request.notes.route
  const prefix = prefixOf(request.ports.world.name)
  if (pattern === undefined) return prefix + redactPath(request.url.split('?', 1)[0]!).replace(LONG_PART, '/[redacted]')
  if (!pattern.includes(':')) return prefix + pattern
  const given = (request.params ?? {}) as Readonly<Record<string, string>>
  return prefix + pattern.replace(/:(\w+)/g, (name, key: string) => (isSecretName(key) ? name : (given[key] ?? name)))
}

function callerKind({ notes: { identity } }: FastifyRequest): string {
  if (identity?.companyId) return 'dealer'
  if (identity?.userId) return 'user'
  return identity ? 'guest' : 'other'
}
