import { z } from 'zod'
import { anything, count } from '../fields.ts'
import { defineTool, reading } from '../tool.ts'

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
        withinMs: count.max(60_000).describe('Waits').optional(),
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
