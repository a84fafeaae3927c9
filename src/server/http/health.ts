import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OutOfSpace, Unavailable } from '../ports/failures.ts'
import { DISK_IS_FULL } from './errors.ts'

/** `ready` needs the store, the bus and no planned stop. `/health` is the same, because most tools try it first. */
export async function health(app: FastifyInstance): Promise<void> {
  let wasReady = true
  app.get('/health/live', async () => ({ status: 'live' }))
  for (const url of ['/health', '/health/ready']) {
    app.get(url, async (request, reply) => {
      const report = await reportReadiness(request, reply)
      const isReady = report.status === 'ready'
      if (isReady && !wasReady) request.log.warn({ world: request.ports.world.name }, 'ready again')
      wasReady = isReady
      return report
    })
  }
}

async function reportReadiness({ server, ports, log }: FastifyRequest, reply: FastifyReply) {
  const unavailable = (reason: string, away?: string[]) => {
    reply.code(503)
    return { status: 'unavailable', reason, away }
  }
  if (server.drain.isAnnounced) return unavailable('the server is shutting down')
  const { store, bus, world } = ports
  const outcomes = await Promise.allSettled([store.ping(), bus.ping()])
  const failures = outcomes.flatMap((outcome, i) =>
    outcome.status === 'rejected' ? [{ name: ['store', 'bus'][i]!, error: outcome.reason as unknown }] : [],
  )
  const [first] = failures
  if (!first) return { status: 'ready' }
  const { message, cause } = first.error as Error
  // Without the stack, because each health probe logs this line.
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
  log.warn({ world: world.name, reason }, 'not ready')
  const away = failures.map(({ name }) => name)
  return unavailable(`${away.join(' and ')}: ${describe(first.error)}`, away)
}

/** Other errors are not described, because their messages may contain an address or a file path. */
function describe(error: unknown): string {
  if (error instanceof OutOfSpace) return DISK_IS_FULL
  return error instanceof Unavailable ? error.message : 'cannot be reached'
}
