import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Worlds } from '../../ports.ts'
import type { RequestCounts } from './request-counts.ts'

/** `GET /metrics` for Prometheus; prom-client is read when somebody first asks. */
export function metrics(app: FastifyInstance, worlds: Worlds, counts: RequestCounts): void {
  let registry: Promise<Registry> | undefined
  app.get('/metrics', async (_request, reply) => {
    registry ??= createRegistry()
    const text = writeCounts(counts) + writeWorlds(worlds) + (await (await registry).metrics())
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}

async function createRegistry(): Promise<Registry> {
  // The module's own names are not seen through a bundle: it is CommonJS.
  const { collectDefaultMetrics, Registry } = (await import('prom-client')).default
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

function writeCounts(counts: RequestCounts): string {
  const rows = counts.list().map(({ operation, status, count }) => {
    return `vendor_cloud_requests_total{operation="${escapeLabel(operation)}",status="${status}"} ${count}\n`
  })
  const head = '# HELP vendor_cloud_requests_total Requests answered.\n# TYPE vendor_cloud_requests_total counter\n'
  return head + rows.join('')
}

function writeWorlds(worlds: Worlds): string {
  const names = worlds.list().map(({ name }) => name)
  const streams = names.reduce((sum, name) => sum + (worlds.find(name)?.streams.list().length ?? 0), 0)
  return (
    '# HELP vendor_cloud_worlds Worlds.\n# TYPE vendor_cloud_worlds gauge\n' +
    `vendor_cloud_worlds ${names.length}\n` +
    '# HELP vendor_cloud_live_streams Event streams that are open.\n# TYPE vendor_cloud_live_streams gauge\n' +
    `vendor_cloud_live_streams ${streams}\n`
  )
}

function escapeLabel(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}
