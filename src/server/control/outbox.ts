import { z } from 'zod'
import { clearOutbox, listOutbox } from '../domain/control/outbox.ts'
import { noContent } from '../../contract/operation.ts'
import { limit, offset } from '../../contract/records/parameters.ts'
import { outboxPage } from '../../contract/records/control/outbox-message.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Outbox')

export const outbox = [
  declare({
    operation: 'listOutbox',
    route: 'GET /_control/outbox',
    summary: 'E-mails and SMS the server would have sent, newest first',
    query: z.object({ limit, offset }),
    reply: outboxPage,
    further: [400],
    run: async ({ ports, query }) => listOutbox(ports, query),
  }),

  declare({
    operation: 'clearOutbox',
    route: 'DELETE /_control/outbox',
    summary: 'Forget all messages',
    reply: noContent,
    run: async ({ ports }) => clearOutbox(ports),
  }),
]
