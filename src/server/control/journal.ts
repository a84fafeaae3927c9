import { Readable } from 'node:stream'
import { journalOperations } from '#contract/control/journal.ts'
import { listJournal } from '../journal/query.ts'
import { verifyJournal } from '../journal/verification.ts'
import { finding, invalidInput, notFound } from '../domain/errors.ts'
import { knownFixtures } from '#contract/records/known-fixtures.ts'
import { callerTypes } from '#contract/records/control/request-match.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { Ports } from '../ports.ts'
import { yielding } from '../ports/yielding.ts'
import { baseUrl } from '../http/addresses.ts'
import { gather, signalWhileHeard, signalWhileOpen } from '../http/connection/client-left.ts'
import { type ControlContext, implementControl } from './context.ts'
import type { CoverageReader } from './coverage.ts'
import { assertPath, readOperation } from '../chaos/known-operations.ts'
import { writeArchive } from '../journal/http-archive.ts'
import { redactEntries } from '../journal/redaction.ts'

const HINT = 'GET /_control/journal lists the entries'

export function journal(context: ControlContext, coverage: CoverageReader) {
  return implementControl(journalOperations, {
    listJournal: async (request, reply) => {
      const { ports, query, server } = request
      const signal = signalWhileHeard(request, reply)
      const { format, redacted = false, ...given } = query
      const operation = readOperation(given.operation, 'query.operation', server.knownPaths.list())
      if (given.caller !== undefined) await assertCaller(ports, given.caller, signal)
      const filters = { ...given, operation }
      if (format === 'json') {
        const { entries, totalCount } = await listJournal(ports, { limit: 20, ...filters }, signal)
        return { entries: redacted ? await redactEntries(ports, entries) : entries, totalCount }
      }
      const text = writeArchive(ports, filters, { base: baseUrl(request), version: context.version, signal })
      return reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(gather(context.jobs.stream(text))) as never)
    },

    getJournalEntry: async ({ ports, params: { id }, query: { redacted = false } }) => {
      const entry = ports.journal.find(id)?.read(id)
      const missing = `the journal of world ${ports.world.name} has no entry ${id}`
      if (!entry) throw notFound(missing, 'our choice: control-refusals', HINT)
      const [shown] = redacted ? await redactEntries(ports, [entry]) : [entry]
      return shown!
    },
    verifyJournal: async (request, reply) => {
      const { ports, body, query, server } = request
      const known = server.knownPaths.list()
      const operation = readOperation(body.match.operation, 'body.match.operation', known)
      assertPath(body.match.path, 'body.match.path', known)
      const asked = { ...body, match: { ...body.match, operation } }
      const signal = signalWhileOpen(request, reply)
      return verifyJournal(ports, asked, signal, query.redacted ? (found) => redactEntries(ports, found) : undefined)
    },

    clearJournal: async ({ ports }) => {
      await coverage.readCovered(ports)
      ports.journal.clear()
    },
  })
}

/** A request can have any identity, so the names in the journal are known, too. */
async function assertCaller({ store, journal }: Ports, name: string, signal: AbortSignal): Promise<void> {
  if (callerTypes.some((type) => type === name) || (await store.accessTokens.count({ user: name })) > 0) return
  for (const kind of ['profile', 'guid']) if (await store.profiles.get(`${kind}:${name}`)) return
  const names = new Set<string>([...callerTypes, ...knownFixtures.callers, ...knownFixtures.dealers])
  for await (const { record } of yielding(journal.scan(), signal))
    if (record.caller !== undefined) names.add(record.caller)
  if (names.has(name)) return
  const rule = `${name} is not a caller of this world or in its journal${suggestNearest(name, [...names])}`
  throw invalidInput([finding('query.caller', rule, { source: 'our choice: known-operations' })])
}
