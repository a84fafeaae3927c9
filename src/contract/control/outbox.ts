import { z } from 'zod'
import { defineOperations, noContent } from '../operation.ts'
import { outboxPage } from '../records/control/outbox-message.ts'
import { limit, offset } from '../records/parameters.ts'
import { controlRoutes } from './routes.ts'

export const outboxOperations = defineOperations(
  { scope: 'control', tag: 'Outbox' },
  {
    listOutbox: {
      route: controlRoutes.listOutbox,
      summary: 'E-mails and SMS the server would have sent, newest first',
      query: z.object({ limit, offset }),
      reply: outboxPage,
      further: [400],
    },
    clearOutbox: {
      route: controlRoutes.clearOutbox,
      summary: 'Forget all messages',
      reply: noContent,
    },
  },
)
