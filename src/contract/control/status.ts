import * as z from 'zod'
import { noContent } from '../operation.ts'
import { status } from '../records/control/status.ts'
import { defineControl } from './define.ts'

export const statusOperations = defineControl('Status', {
  readStatus: { summary: 'What runs, and how the world stands', reply: status },
  reset: { summary: 'The world as it was at its start; live streams end', reply: noContent },
})

export const feedOperations = defineControl('Status', {
  watch: {
    summary: 'Requests, clock, device events, streams and messages of this instance, as they happen',
    produces: ['text/event-stream'],
    reply: z.string().meta({
      description:
        'Server-sent events: `journal` {entries, skipped}, `cleared` {}, `clock`, `device`, `streams` {items}, ' +
        '`outbox` {totalCount}, `changed` {operation}; first the newest journal entries and how all stands',
    }),
    headRoute: false,
  },
})
