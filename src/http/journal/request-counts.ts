import type { FastifyRequest } from 'fastify'
import { operationOf } from '../request-notes.ts'

export interface RequestCounts {
  add(request: FastifyRequest, status: number): void
  list(): { operation: string; status: number; count: number }[]
}

/** Counting is two looks into maps. */
export function createRequestCounts(): RequestCounts {
  const counts = new Map<number | string, Map<number, number>>()

  return {
    add(request, status) {
      const operation = operationOf(request) ?? request.notes.route.url ?? 'unknown'
      const byStatus = counts.get(operation)
      if (byStatus) byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      else counts.set(operation, new Map([[status, 1]]))
    },
    list: () =>
      [...counts].flatMap(([operation, byStatus]) =>
        [...byStatus].map(([status, count]) => ({ operation: String(operation), status, count })),
      ),
  }
}
