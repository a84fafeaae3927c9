import { z } from 'zod'
import { clearOutbox, listOutbox } from '../domain/control/outbox.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { limit, offset } from '../http/input/parameters.ts'
import { outboxMessage } from '../schemas/control/outbox-message.ts'
import type { ControlApp } from './context.ts'

export function outbox(app: ControlApp): void {
  app.get('/_control/outbox', {
    config: { operation: 'listOutbox' },
    schema: {
      tags: ['Outbox'],
      summary: 'E-mails and SMS the server would have sent, newest first',
      querystring: z.object({ limit, offset }),
      response: {
        200: z.object({ items: z.array(outboxMessage), totalCount: z.int() }),
        400: errorBody,
        403: errorBody,
      },
    },
    handler: async ({ ports, query }) => listOutbox(ports, query),
  })

  app.delete('/_control/outbox', {
    config: { operation: 'clearOutbox' },
    schema: { tags: ['Outbox'], summary: 'Forget all messages', response: { 204: noContent, 403: errorBody } },
    handler: async ({ ports }, reply) => {
      await clearOutbox(ports)
      return reply.code(204).send(undefined)
    },
  })
}
