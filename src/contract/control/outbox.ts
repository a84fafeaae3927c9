import { noContent } from '../operation.ts'
import { outboxMessage } from '../records/control/outbox-message.ts'
import { pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

export const outboxOperations = defineControl('Outbox', {
  listOutbox: {
    summary: 'List outbox messages',
    description: 'Emails and SMS that a real server would send, newest first.',
    query: paging,
    reply: pageOf(outboxMessage),
  },
  clearOutbox: { summary: 'Delete all outbox messages', reply: noContent },
})
