import type { FastifyInstance } from 'fastify'
import { OutOfSpace } from '../ports/failures.ts'
import { DISK_IS_FULL } from './errors.ts'

/**
 * `live` means that the process answers; `ready` that the engines do too, and that the server is not about to leave.
 */
export async function health(app: FastifyInstance): Promise<void> {
  app.get('/health/live', async () => ({ status: 'live' }))

  app.get('/health/ready', async ({ ports, log }, reply) => {
    const unavailable = (reason: string) => reply.code(503).send({ status: 'unavailable', reason })
    if (app.departure.isAnnounced) return unavailable('the server is shutting down')
    try {
      await Promise.all([ports.store.ping(), ports.bus.ping()])
      return { status: 'ready' }
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      if (error instanceof OutOfSpace) return unavailable(DISK_IS_FULL)
      return unavailable('the store or the bus cannot be reached')
    }
  })
}
