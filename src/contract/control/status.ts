import * as z from 'zod'
import { noContent } from '../operation.ts'
import { status } from '../records/control/status.ts'
import { defineControl } from './define.ts'

export const statusOperations = defineControl('Status', {
  readStatus: { summary: 'Get the status', reply: status },
  reset: {
    summary: 'Reset the world',
    description: 'Restores the initial state of the world and ends its open streams.',
    reply: noContent,
  },
})

export const feedOperations = defineControl('Status', {
  watch: {
    summary: 'Watch the world',
    description:
      'Reports requests, clock changes, device events, event streams and outbox messages of this instance as they ' +
      'happen.',
    produces: ['text/event-stream'],
    reply: z
      .string()
      .describe(
        'Server-sent events: `journal` {entries, skipped}, `cleared` {}, `clock`, `device`, `streams` {items}, ' +
          '`outbox` {totalCount}, `changed` {operation}. The stream starts with the newest journal entries and the ' +
          'current state.',
      ),
    headRoute: false,
  },
})
