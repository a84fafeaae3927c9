import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listOutbox } from '../domain/outbox.ts'
import { errorBody } from '../http/json-errors.ts'
import { limit, offset } from '../http/parameters.ts'
import type { ZodTypeProvider } from '../http/zod.ts'
import { outboxMessage } from '../schemas/outbox-message.ts'

export async function outbox(app: FastifyInstance): Promise<void> {
  app.withTypeProvider<ZodTypeProvider>().get('/_control/outbox', {
    config: { operation: 'listOutbox' },
    schema: {
      tags: ['Outbox'],
      summary: 'E-mails and SMS the server would have sent, newest first',
      querystring: z.object({ limit, offset }),
      response: { 200: z.object({ items: z.array(outboxMessage), totalCount: z.int() }), 400: errorBody, 403: errorBody },
    },
    handler: async ({ ports, query }) => listOutbox(ports, query),
  })
}
