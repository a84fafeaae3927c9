import { Readable } from 'node:stream'
import { journalOperations } from '../../contract/control/journal.ts'
import { getJournalEntry, listJournal } from '../domain/control/journal.ts'
import { verifyJournal } from '../domain/control/journal-verification.ts'
import { baseUrl } from '../http/addresses.ts'
import { type ControlContext, implementControl } from './context.ts'
import { readMet } from './coverage/coverage.ts'
import { assertOperation, assertPath } from './known-operations.ts'
import { writeArchive } from './recordings/http-archive.ts'

export function journal(context: ControlContext) {
  return implementControl(journalOperations, {
    listJournal: async (request, reply) => {
      const { ports, query: asked, server } = request
      const { format, ...filters } = asked
      assertOperation(filters.operation, 'query.operation', server.knownPaths.list())
      if (format === 'json') return listJournal(ports, { limit: 20, ...filters })
      const text = writeArchive(ports, filters, { base: baseUrl(request), version: context.version })
      return reply.type('application/json; charset=utf-8').send(Readable.from(text) as never)
    },

    getJournalEntry: async ({ ports, params }) => getJournalEntry(ports, params.id),
    verifyJournal: async ({ ports, body, server }) => {
      const known = server.knownPaths.list()
      assertOperation(body.match.operation, 'body.match.operation', known)
      assertPath(body.match.path, 'body.match.path', known)
      return verifyJournal(ports, body, server.closing)
    },

    clearJournal: async ({ ports }) => {
      await readMet(context, ports)
      ports.journal.clear()
    },
  })
}
