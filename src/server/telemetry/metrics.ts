import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Worlds } from '../ports/worlds.ts'
import { operationOf } from '../http/request-notes.ts'

/** Requests by operation and status. */
export type RequestCounts = Map<number | string, Map<number, number>>

/** Every request is counted, so counting costs two look-ups and no allocation. */
export function countRequest(counts: RequestCounts, request: FastifyRequest, status: number): void {
  const operation = operationOf(request) ?? request.notes.route.url ?? 'unknown'
  const byStatus = counts.get(operation)
  if (byStatus) byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  else counts.set(operation, new Map([[status, 1]]))
}

/** prom-client loads when somebody first asks, so that it does not slow the start. */
export function metrics(app: FastifyInstance, worlds: Worlds, counts: RequestCounts): void {
  let registry: Promise<Registry> | undefined
  app.get('/metrics', async (_request, reply) => {
    registry ??= createRegistry(worlds, counts)
    const known = await registry
    return reply.type(known.contentType).send(await known.metrics())
  })
}

/** Values are computed when they are asked for, so that requests pay nothing for them. */
async function createRegistry(worlds: Worlds, counts: RequestCounts): Promise<Registry> {
  // A bundler does not see the named exports of a CommonJS module.
  const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import('prom-client')).default
  const registry = new Registry()
  const registers = [registry]
  new Counter({
    name: 'vendor_cloud_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset()
      for (const [operation, byStatus] of counts) {
        for (const [status, count] of byStatus) this.inc({ operation: String(operation), status }, count)
      }
    },
  })
  new Gauge({
    name: 'vendor_cloud_worlds',
    help: 'Worlds.',
    registers,
    collect() {
      this.set(worlds.list().length)
    },
  })
  new Gauge({
    name: 'vendor_cloud_live_streams',
    help: 'Event streams that are open.',
    registers,
    collect() {
      this.set(worlds.list().reduce((sum, { name }) => sum + (worlds.find(name)?.streams.size ?? 0), 0))
    },
  })
  collectDefaultMetrics({ register: registry })
  return registry
}
