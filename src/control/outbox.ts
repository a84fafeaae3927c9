import { z } from 'zod'
import { clearOutbox, listOutbox } from '../domain/control/outbox.ts'
import { noContent } from '../http/zod.ts'
import { limit, offset } from '../http/input/parameters.ts'
import { outboxMessage } from '../schemas/control/outbox-message.ts'
import { controlOperation } from './context.ts'

export const outbox = [
  controlOperation({
    operation: 'listOutbox',
    method: 'GET',
    path: '/_control/outbox',
    tag: 'Outbox',
    summary: 'E-mails and SMS the server would have sent, newest first',
    query: z.object({ limit, offset }),
    reply: z.object({ items: z.array(outboxMessage), totalCount: z.int() }),
    further: [400],
    run: async ({ ports, query }) => listOutbox(ports, query),
  }),

  controlOperation({
    operation: 'clearOutbox',
    method: 'DELETE',
    path: '/_control/outbox',
    tag: 'Outbox',
    summary: 'Forget all messages',
    reply: noContent,
    run: async ({ ports }) => clearOutbox(ports),
  }),
]
