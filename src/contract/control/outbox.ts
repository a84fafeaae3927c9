import { noContent } from '../operation.ts'
import { outboxMessage } from '../records/control/outbox-message.ts'
import { pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

export const outboxOperations = defineControl('Outbox', {
  listOutbox: {
    summary: 'E-mails and SMS the server would have sent, newest first',
    query: paging,
    reply: pageOf(outboxMessage),
  },
  clearOutbox: { summary: 'Forget all messages', reply: noContent },
})
