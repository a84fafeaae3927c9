import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Worlds } from '../ports.ts'
import { operationOf } from './request-notes.ts'

interface Row {
  operation: string
  status: number
  count: number
  seconds: number
}

/** `GET /metrics` for Prometheus. Counting is one look into a map; prom-client is read when somebody first asks. */
export function metrics(app: FastifyInstance, worlds: Worlds): void {
  const rows = new Map<string, Map<number, Row>>()

  app.addHook('onResponse', (request, reply, done) => {
    const name = String(operationOf(request) ?? request.routeOptions.url ?? 'unknown')
    const row = rowOf(rows, name, reply.statusCode)
    row.count++
    row.seconds += reply.elapsedTime / 1000
    done()
  })

  let registry: Promise<Registry> | undefined
  app.get('/metrics', async (_request, reply) => {
    registry ??= createRegistry()
    const ours = writeRows([...rows.values()].flatMap((each) => [...each.values()])) + writeWorlds(worlds)
    const text = await (await registry).metrics()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(ours + text)
  })
}

function rowOf(rows: Map<string, Map<number, Row>>, operation: string, status: number): Row {
  const byStatus = rows.get(operation) ?? new Map<number, Row>()
  const row = byStatus.get(status) ?? { operation, status, count: 0, seconds: 0 }
  if (row.count === 0) rows.set(operation, byStatus.set(status, row))
  return row
}

async function createRegistry(): Promise<Registry> {
  // The module's own names are not seen through a bundle: it is CommonJS.
  const { collectDefaultMetrics, Registry } = (await import('prom-client')).default
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

function writeRows(rows: readonly Row[]): string {
  const labels = ({ operation, status }: Row) => `{operation="${escapeLabel(operation)}",status="${status}"}`
  return (
    '# HELP vendor_cloud_requests_total Requests answered.\n# TYPE vendor_cloud_requests_total counter\n' +
    rows.map((row) => `vendor_cloud_requests_total${labels(row)} ${row.count}\n`).join('') +
    '# HELP vendor_cloud_request_seconds_total Time it took to answer them.\n' +
    '# TYPE vendor_cloud_request_seconds_total counter\n' +
    rows.map((row) => `vendor_cloud_request_seconds_total${labels(row)} ${row.seconds.toFixed(6)}\n`).join('')
  )
}

function writeWorlds(worlds: Worlds): string {
  const names = worlds.list().map(({ name }) => name)
  const streams = names.reduce((sum, name) => sum + (worlds.find(name)?.streams.list().length ?? 0), 0)
  return (
    `# HELP vendor_cloud_workspaces Workspaces.\n# TYPE vendor_cloud_workspaces gauge\nvendor_cloud_workspaces ${names.length}\n` +
    `# HELP vendor_cloud_live_streams Event streams that are open.\n# TYPE vendor_cloud_live_streams gauge\n` +
    `vendor_cloud_live_streams ${streams}\n`
  )
}

function escapeLabel(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}
