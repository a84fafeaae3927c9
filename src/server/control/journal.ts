import { Readable } from 'node:stream'
import { z } from 'zod'
import { getJournalEntry, listJournal } from '../domain/control/journal.ts'
import { verifyJournal } from '../domain/control/journal-verification.ts'
import { baseUrl } from '../http/addresses.ts'
import { filter, flag, int32, offset } from '../../contract/records/parameters.ts'
import { noContent } from '../../contract/operation.ts'
import { journalEntry, journalPage, journalVerdict, journalVerify } from '../../contract/records/control/journal.ts'
import { methods } from '../../contract/records/control/request-match.ts'
import { instant } from '../../contract/records/formats.ts'
import { type ControlContext, controlOperations } from './context.ts'
import { readMet } from './coverage/coverage.ts'
import { writeArchive } from './recordings/http-archive.ts'
import { assertOperation, assertPath } from './known-operations.ts'

const query = z.object({
  operation: filter.optional().meta({ description: "Number of document 1's table, or a name" }),
  method: z.string().toUpperCase().pipe(z.enum(methods)).optional(),
  path: z.string().max(500).optional().meta({ description: '* stands for anything', example: '/stg/us/*' }),
  status: int32(100, 599).optional(),
  caller: filter.optional(),
  q: filter.optional().meta({ description: 'A text that path, query, headers, body or data hold, in any letter case' }),
  refused: flag.optional().meta({ description: 'Whether the status is 400 or more' }),
  kind: z.enum(['request', 'frame']).optional(),
  since: instant.optional().meta({ description: "Only entries from then on, by the world's clock" }),
  before: int32(1).optional().meta({ description: "An entry's id: only older ones" }),
  offset,
  limit: int32(1, 100).optional().meta({ description: '20 unless told; an archive holds all that fit' }),
  format: z.enum(['json', 'har']).default('json').meta({
    description: '`har`: HTTP Archive 1.2, oldest first, frames with the request that opened their stream',
  }),
})

export function journal(context: ControlContext) {
  const { version } = context
  const declare = controlOperations('Journal')

  return [
    declare({
      operation: 'listJournal',
      route: 'GET /_control/journal',
      summary: 'What this instance was asked and answered, newest first, and why it refused',
      query,
      reply: journalPage,
      further: [400],
      run: async (request, reply) => {
        const { ports, query: asked, server } = request
        const { format, ...filters } = asked
        assertOperation(filters.operation, 'query.operation', server.knownPaths.list())
        if (format === 'json') return listJournal(ports, { limit: 20, ...filters })
        const text = writeArchive(ports, filters, { base: baseUrl(request), version })
        return reply.type('application/json; charset=utf-8').send(Readable.from(text) as never)
      },
    }),

    declare({
      operation: 'getJournalEntry',
      route: 'GET /_control/journal/:id',
      params: z.object({ id: int32(1) }),
      reply: journalEntry,
      further: [400, 404],
      run: async ({ ports, params }) => getJournalEntry(ports, params.id),
    }),

    declare({
      operation: 'verifyJournal',
      route: 'POST /_control/journal/verify',
      summary: 'Whether entries fit, waiting for them up to withinMs',
      body: journalVerify,
      reply: journalVerdict,
      further: [400],
      run: async ({ ports, body, server }) => {
        const known = server.knownPaths.list()
        assertOperation(body.match.operation, 'body.match.operation', known)
        assertPath(body.match.path, 'body.match.path', known)
        return verifyJournal(ports, body, server.closing)
      },
    }),

    declare({
      operation: 'clearJournal',
      route: 'DELETE /_control/journal',
      summary: 'Forget all entries',
      reply: noContent,
      run: async ({ ports }) => {
        await readMet(context, ports)
        ports.journal.clear()
      },
    }),
  ]
}
