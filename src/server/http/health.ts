import type { FastifyInstance } from 'fastify'

/** `live`: the process answers. `ready`: so do the engines behind the ports. */
export async function health(app: FastifyInstance): Promise<void> {
  app.get('/health/live', async () => ({ status: 'live' }))

  app.get('/health/ready', async ({ ports, log }, reply) => {
    try {
      await Promise.all([ports.store.ping(), ports.bus.ping()])
      return { status: 'ready' }
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'unavailable', reason: 'the store or the bus cannot be reached' })
    }
  })
}
