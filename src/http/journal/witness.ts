import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_WORLD } from '../../ports.ts'
import { operationOf, routeOf, type Witness } from '../request-notes.ts'
import { finishRecorded } from './recorded-calls.ts'
import { recordRequest } from './recording.ts'
import { isSecretName, redactPath } from './redaction.ts'
import type { RequestCounts } from './request-counts.ts'

export interface WitnessOptions {
  timer: () => number
  counts: RequestCounts
  journal: boolean
  log: boolean
}

export function createWitness({ timer, counts, journal, log }: WitnessOptions): Witness {
  return (request, reply, text) => {
    const ms = timer() - request.notes.startedAt
    counts.add(request, reply.statusCode)
    const { recorded } = request.notes
    const replyHeaders = journal || recorded ? reply.getHeaders() : {}
    if (journal) recordRequest(request, reply, { durationMs: ms, replyHeaders, text })
    if (recorded) finishRecorded(request, reply, replyHeaders, text)
    if (log) logRequest(request, reply, ms)
  }
}

function logRequest(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { refusal } = request.notes
  request.log.info(
    {
      method: request.method,
      path: shownPath(request),
      route: routeOf(request).url ?? 'unknown',
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
  const { url: pattern } = routeOf(request)
  const world = request.ports.world.name
  const prefix = world === DEFAULT_WORLD ? '' : `/w/${world}`
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
