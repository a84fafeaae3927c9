import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import type { Worlds } from '../ports/worlds.ts'
import { operationOf } from '../http/request-context.ts'

/** Upper bounds of the histogram buckets in milliseconds. */
const BUCKETS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, Infinity]

interface Durations {
  /** For each bucket, the number of requests that took longer than the previous bound, but no longer than this one. */
  byDuration: number[]
  milliseconds: number
}

/** By operation, route and status. Operations may have several routes, and the SOAP route has several operations. */
export type RequestCounts = Map<number | string, Map<string, Map<number, Durations>>>

export function countRequest(counts: RequestCounts, request: FastifyRequest, status: number, ms: number): void {
  const { url: route = 'unknown' } = request.context.route
  const byRoute = getOrAdd(counts, operationOf(request) ?? route, createMap)
  const byStatus = getOrAdd(byRoute, route, createMap)
  const durations = getOrAdd(byStatus, status, createDurations)
  let bucket = 0
  while (ms > BUCKETS[bucket]!) bucket++
  durations.byDuration[bucket]!++
  durations.milliseconds += ms
}

const createMap = () => new Map()
const createDurations = (): Durations => ({ byDuration: BUCKETS.map(() => 0), milliseconds: 0 })

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = create()
  map.set(key, value)
  return value
}

function* listSeries(counts: RequestCounts) {
  for (const [operation, byRoute] of counts) {
    for (const [route, byStatus] of byRoute) {
      for (const [status, durations] of byStatus) {
        yield { labels: { operation: String(operation), route, status }, ...durations }
      }
    }
  }
}

/** Loads prom-client on first use, so that it does not slow down startup. */
export function metrics(
  app: FastifyInstance,
  worlds: Worlds,
  counts: RequestCounts,
  countRejected: () => number,
): void {
  let registry: Promise<Registry> | undefined
  app.get('/metrics', async (_request, reply) => {
    registry ??= createRegistry(worlds, counts, countRejected)
    const known = await registry
    // The event-loop delay is NaN when it has no sample since the previous scrape. Prometheus does not read `Nan`.
    return reply.type(known.contentType).send((await known.metrics()).replaceAll(/^.* Nan\n/gm, ''))
  })
}

async function createRegistry(worlds: Worlds, counts: RequestCounts, countRejected: () => number): Promise<Registry> {
  // Bundlers do not detect the named exports of a CommonJS module.
  const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import('prom-client')).default
  const registry = new Registry()
  const registers = [registry]
  new Counter({
    name: 'vendor_cloud_requests_total',
    help: 'Requests that got a response.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset()
      for (const { labels, byDuration } of listSeries(counts)) {
        const { operation, status } = labels
        this.inc(
          { operation, status },
          byDuration.reduce((sum, each) => sum + each),
        )
      }
    },
  })
  new Counter({
    name: 'vendor_cloud_rejected_connections_total',
    help: 'Connections rejected because MAX_CONNECTIONS were open.',
    registers,
    collect() {
      this.reset()
      this.inc(countRejected())
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
  new Gauge({
    name: 'vendor_cloud_store_up',
    help: '1 while the store (PostgreSQL or the data file) can be read and written, otherwise 0.',
    registers,
    async collect() {
      const ports = worlds.find(DEFAULT_WORLD)
      const checks = Promise.all([ports?.store.ping(), ports?.bus.ping()])
      this.set(
        await checks.then(
          () => 1,
          () => 0,
        ),
      )
    },
  })
  // A gauge whose values are set here. A histogram of the package would have to exist before the first request.
  const metric = new Gauge({ name: DURATIONS, help: DURATIONS_HELP, registers: [] })
  registry.registerMetric(Object.assign(metric, { get: async () => describeDurations(counts) }))
  collectDefaultMetrics({ register: registry })
  return registry
}

const DURATIONS = 'vendor_cloud_request_duration_seconds'
const DURATIONS_HELP = 'Seconds until the response was ready.'

function describeDurations(counts: RequestCounts) {
  const values = [...listSeries(counts)].flatMap(({ labels, byDuration, milliseconds }) => {
    let count = 0
    const buckets = BUCKETS.map((bound, i) => {
      count += byDuration[i]!
      const le = bound === Infinity ? '+Inf' : bound / 1000
      return { metricName: `${DURATIONS}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${DURATIONS}_sum`, labels, value: milliseconds / 1000 },
      { metricName: `${DURATIONS}_count`, labels, value: count },
    ]
  })
  return { name: DURATIONS, help: DURATIONS_HELP, type: 'histogram', values }
}
