import type { FastifyReply, FastifyRequest } from 'fastify'
import { finishRecorded } from '../recorded-calls.ts'
import { operationOf, routeOf, type Witness } from '../request-notes.ts'
import { recordRequest } from './recording.ts'
import type { RequestCounts } from './request-counts.ts'

export interface WitnessOptions {
  timer: () => number
  counts: RequestCounts
  journal: boolean
  log: boolean
}

/** Counts, journals and logs each answer. */
export function createWitness({ timer, counts, journal, log }: WitnessOptions): Witness {
  return (request, reply, text) => {
    const ms = timer() - request.notes.startedAt
    counts.add(request, reply.statusCode)
    if (journal) recordRequest(request, reply, ms, text)
    if (request.notes.recorded) finishRecorded(request, reply, text)
    if (log) logRequest(request, reply, ms)
  }
}

function logRequest(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { refusal } = request.notes
  request.log.info(
    {
      method: request.method,
      // The pattern, not the address: keys and tokens may stand in paths and queries.
      route: routeOf(request).url ?? 'unknown',
      operation: operationOf(request),
      status: reply.statusCode,
      ms: Math.round(ms * 100) / 100,
      caller: callerKind(request),
      ...(refusal && { refused: refusal.code, rule: refusal.source }),
    },
    'request',
  )
}

function callerKind({ notes: { identity } }: FastifyRequest): string {
  if (identity?.companyId) return 'dealer'
  if (identity?.userId) return 'user'
  return identity ? 'guest' : 'other'
}
