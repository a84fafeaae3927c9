import * as z from 'zod'
import type { JournalEntry } from '#tools/client/types.ts'
import { readEntry } from '../calls/entry-call.ts'
import { anything, count, entryId, operation, upTo } from '../fields.ts'
import { defineTool, reading } from '../tool.ts'

export const journalTool = defineTool({
  name: 'journal',
  title: 'Journal',
  description:
    'What the client asked and was answered, newest first, and why it was refused; `id` gives one whole entry. ' +
    '`ignored` names misspelt parameters. `q` is a text anywhere in it.',
  output: { entries: z.array(anything), totalCount: z.number() },
  actions: {
    list: reading(
      {
        id: entryId.optional(),
        operation: operation.optional(),
        caller: z.string().max(200).optional(),
        status: count.optional(),
        refused: z.boolean().optional(),
        q: z.string().max(200).optional(),
        before: entryId.describe('Id: only older ones').optional(),
        limit: upTo(100).default(20),
      },
      async (world, { id, ...filter }) => {
        if (id !== undefined) return { entries: [await readEntry(world, id)], totalCount: 1 }
        const { entries, totalCount } = await world.call('listJournal', { query: { ...filter, redacted: true } })
        return { entries: entries.map(toBrief), totalCount }
      },
    ),
  },
})

export const verifyTool = defineTool({
  name: 'verify',
  title: 'Verify',
  description:
    'Whether the journal holds what is expected, once unless told: `match` has any of operation, method, path (* is ' +
    'anything), status, caller, code, requestId, and query, header, body (values that must be contained). Otherwise ' +
    'the `nearest` entries, and what `differs`.',
  output: {
    matched: z.boolean(),
    count: z.number(),
    entries: z.array(z.number()).describe('Ids'),
    nearest: z.array(z.looseObject({ id: z.number(), differs: z.array(z.string()) })),
  },
  actions: {
    verify: reading(
      {
        match: anything,
        count: count.optional(),
        atLeast: count.optional(),
        withinMs: upTo(60_000).describe('Waits').optional(),
      },
      async (world, { match, ...expectation }) => {
        const verdict = await world.call('verifyJournal', { body: { match, ...expectation } })
        const { matched, count: found, entries, nearest } = verdict
        return {
          matched,
          count: found,
          entries: entries.map(({ id }) => id),
          nearest: nearest.slice(0, 3).map(({ id, operation, method, path, status, differs }) => {
            return { id, operation, method, path, status, differs }
          }),
        }
      },
    ),
  },
})

/** Headers and bodies are left out: a list would fill the agent's context. */
function toBrief(entry: JournalEntry) {
  const { request: _, response: __, why, ...brief } = entry
  return { ...brief, ...(why && { why: { code: why.code, message: why.message, source: why.source } }) }
}
