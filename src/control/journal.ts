import { z } from 'zod'
import { listJournal, verifyJournal } from '../domain/control/journal.ts'
import { errorBody } from '../http/json-errors.ts'
import { filter, int32, limit } from '../http/input/parameters.ts'
import { noContent } from '../http/zod.ts'
import { journalEntry, journalVerdict, journalVerify } from '../schemas/control/journal.ts'
import type { ControlApp } from './routes.ts'

const query = z.object({
  operation: filter.optional().meta({ description: "Number of document 1's table, or a name" }),
  method: filter.toUpperCase().optional(),
  path: filter.optional(),
  status: int32(100, 599).optional(),
  limit,
})

export function journal(app: ControlApp): void {
  const tags = ['Journal']

  app.get('/_control/journal', {
    config: { operation: 'listJournal' },
    schema: {
      tags,
      summary: 'What this instance was asked and answered, newest first, and why it refused',
      querystring: query,
      response: {
        200: z.object({ entries: z.array(journalEntry), totalCount: z.int() }),
        400: errorBody,
        403: errorBody,
      },
    },
    handler: async ({ ports, query: { limit: most, operation, ...match } }) =>
      listJournal(ports, { ...match, operation: toOperation(operation) }, most),
  })

  app.post('/_control/journal/verify', {
    config: { operation: 'verifyJournal' },
    schema: {
      tags,
      summary: 'Whether entries fit, waiting for them up to withinMs',
      body: journalVerify,
      response: { 200: journalVerdict, 400: errorBody, 403: errorBody },
    },
    handler: async ({ ports, body, server }) => verifyJournal(ports, body, server.closing),
  })

  app.delete('/_control/journal', {
    config: { operation: 'clearJournal' },
    schema: { tags, summary: 'Forget all entries', response: { 204: noContent, 403: errorBody } },
    handler: async ({ ports }, reply) => {
      ports.journal.clear()
      return reply.code(204).send(undefined)
    },
  })
}

/** In a query string numbers are text. */
function toOperation(operation: string | undefined): number | string | undefined {
  return operation !== undefined && /^\d{1,2}$/.test(operation) ? Number(operation) : operation
}
