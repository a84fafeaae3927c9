import type { FastifyInstance } from 'fastify'
import { assertControlAccess, type ControlOptions } from './access.ts'
import { outbox } from './outbox.ts'

export type { ControlOptions } from './access.ts'

/** The control API, for people who test and demonstrate. */
export async function control(app: FastifyInstance, options: ControlOptions): Promise<void> {
  app.addHook('onRequest', async (request) => assertControlAccess(request, options))
  app.register(outbox)
}
