import { z } from 'zod'
import { anything, count } from '../fields.ts'
import { defineTool, shorten } from '../tool.ts'

export const verifyTool = defineTool({
  name: 'verify',
  title: 'Verify',
  description:
    'Whether the journal holds what is expected, once unless told: `match` has any of operation, method, path (* is ' +
    'anything), status, caller, code, requestId, and query, header, body (values that must be contained). Otherwise ' +
    'the `nearest` entries, and what `differs`.',
  input: {
    match: anything,
    count: count.optional(),
    atLeast: count.optional(),
    withinMs: count.max(60_000).describe('Waits').optional(),
  },
  output: {
    matched: z.boolean(),
    count: z.number(),
    entries: z.array(z.number()).describe('Ids'),
    nearest: z.array(z.looseObject({ id: z.number(), differs: z.array(z.string()) })),
  },
  reads: 'all',
  async run(world, { match, count: exactly, atLeast, withinMs }) {
    const verdict = await world.verify(match, {
      ...(exactly !== undefined && { count: exactly }),
      ...(atLeast !== undefined && { atLeast }),
      ...(withinMs !== undefined && { withinMs }),
    })
    const nearest = verdict.nearest.slice(0, 3).map(({ id, operation, method, path, status, differs }) => ({
      id,
      operation,
      method,
      path,
      status,
      differs,
    }))
    const { matched, count: found, entries } = verdict
    return shorten({ world: world.name, matched, count: found, entries: entries.map(({ id }) => id), nearest })
  },
})
