import * as z from 'zod'
import { describeDifference } from '#tools/client/expected-requests.ts'
import type { JournalEntry, JournalVerdict } from '#tools/client/types.ts'
import { readEntry } from '../calls/entry-call.ts'
import { toToolError } from '../errors.ts'
import { anything, count, entryId, operation, upTo } from '../fields.ts'
import { defineTool, reading } from '../tool.ts'

export const journalTool = defineTool({
  name: 'journal',
  title: 'Journal',
  description:
    'List requests and responses, newest first, with the reason of each error. `entry` returns one in full. `ignored` ' +
    'lists misspelled parameters. `refused`: errors only. `q`: full-text search.',
  actions: {
    list: reading(
      {
        entry: entryId.optional(),
        operation: operation.optional(),
        caller: z.string().max(200).optional(),
        status: z.union([count, z.string().max(7)]).optional(),
        refused: z.boolean().optional(),
        q: z.string().max(200).optional(),
        before: entryId.describe('Older entries only').optional(),
        limit: upTo(100).default(20),
      },
      async (world, { entry, ...filter }) => {
        if (entry !== undefined) return { entries: [await readEntry(world, entry)], totalCount: 1 }
        const { entries, totalCount } = await world.call('listJournal', { query: { ...filter, redacted: true } })
        return { entries: entries.map(toBrief), totalCount }
      },
      { id: 'entry' },
    ),
  },
})

export const verifyTool = defineTool({
  name: 'verify',
  title: 'Verify',
  description:
    'Check that the journal has `count` or `atLeast` (default 1) matching requests. `match` has any of operation, ' +
    'method, path (* is a wildcard), status, caller, code, requestId, query, header and body (subset). Otherwise ' +
    '`nearest` lists similar requests with their differences.',
  actions: {
    verify: reading(
      {
        match: anything,
        count: count.optional(),
        atLeast: count.optional(),
        withinMs: upTo(60_000).describe('Wait up to').optional(),
      },
      async (world, { match, ...expectation }) => {
        const verdict = await world.call('verifyJournal', {
          query: { redacted: true },
          body: { match, ...expectation },
        })
        const { matched, count: found, entries, nearest } = verdict
        return {
          matched,
          count: found,
          entries: entries.map(({ id }) => id),
          nearest: withoutOthers(nearest)
            .slice(0, 3)
            .map(({ id, operation, method, path, status, differs }) => {
              return { id, operation, method, path, status, differs: differs.map(describeDifference) }
            }),
        }
      },
    ),
  },
})

/** Omits entries of other operations, unless all are of other operations. */
function withoutOthers(nearest: JournalVerdict['nearest']): JournalVerdict['nearest'] {
  const same = nearest.filter(({ differs }) => !differs.some(({ name }) => /^(?:operation|method|path)$/.test(name)))
  return same.length > 0 ? same : nearest
}

/** Omits headers and bodies, which would fill the agent's context. */
function toBrief(entry: JournalEntry) {
  const { request: _, response: __, why, ...brief } = entry
  if (!why) return brief
  const [first] = why.findings
  const message = first && !why.message.includes(first.message) ? `${why.message} (${first.message})` : why.message
  return { ...brief, why: { code: why.code, message: toToolError(message), source: why.source ?? first?.source } }
}
