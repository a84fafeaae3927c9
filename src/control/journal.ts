import { Readable } from 'node:stream'
import { z } from 'zod'
import { getJournalEntry, listJournal, verifyJournal } from '../domain/control/journal.ts'
import { baseUrl } from '../http/connection/links.ts'
import { filter, flag, int32, offset } from '../http/input/parameters.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { journalEntry, journalVerdict, journalVerify } from '../schemas/control/journal.ts'
import { methods } from '../schemas/control/request-match.ts'
import { writeArchive } from './http-archive.ts'
import type { ControlApp, ControlContext } from './context.ts'

const query = z.object({
  operation: filter.optional().meta({ description: "Number of document 1's table, or a name" }),
  method: z.string().toUpperCase().pipe(z.enum(methods)).optional(),
  path: z.string().max(500).optional().meta({ description: '* stands for anything', example: '/stg/us/*' }),
  status: int32(100, 599).optional(),
  caller: filter.optional(),
  q: filter.optional().meta({ description: 'A text that path, query, headers, body or data hold, in any letter case' }),
  refused: flag.optional().meta({ description: 'Whether the status is 400 or more' }),
  kind: z.enum(['request', 'frame']).optional(),
  before: int32(1).optional().meta({ description: "An entry's id: only older ones" }),
  offset,
  limit: int32(1, 100).optional().meta({ description: '20 unless told; an archive holds all that fit' }),
  format: z.enum(['json', 'har']).default('json').meta({
    description: '`har`: HTTP Archive 1.2, oldest first, frames with the request that opened their stream',
  }),
})

export function journal(app: ControlApp, { version }: ControlContext): void {
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
    handler: async (request, reply) => {
      const { ports, query: asked } = request
      const { format, ...filters } = asked
      if (format === 'json') return listJournal(ports, { limit: 20, ...filters })
      const text = writeArchive(ports, filters, { base: baseUrl(request), version })
      return reply.type('application/json; charset=utf-8').send(Readable.from(text) as never)
    },
  })

  app.get('/_control/journal/:id', {
    config: { operation: 'getJournalEntry' },
    schema: {
      tags,
      params: z.object({ id: int32(1) }),
      response: { 200: journalEntry, 400: errorBody, 403: errorBody, 404: errorBody },
    },
    handler: async ({ ports, params }) => getJournalEntry(ports, params.id),
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
