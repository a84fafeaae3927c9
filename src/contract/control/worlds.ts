import * as z from 'zod'
import { noContent } from '../operation.ts'
import { worldDiff } from '../records/control/world-diff.ts'
import { historyPoint, worldDraft, worldName, worldSummary } from '../records/control/world.ts'
import { pageOf } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const params = z.object({ name: z.string() })

export const worldOperations = defineControl('Worlds', {
  createWorld: {
    summary: 'Create a world',
    description:
      'Creates an isolated environment from the fixtures or as a fork of another world. Each world has its own ' +
      'records, clock, IDs, faults, journal and outbox.',
    body: worldDraft.optional(),
    optionalBody: true,
    keepsNull: ['profile'],
    // An empty `at` must be rejected. Removing it would make the request refer to the current state.
    keepsUnchanged: ['body', 'headers', 'at'],
    reply: worldSummary,
    otherStatuses: [409],
    example: { body: { name: 'demo', seed: 'any text', expiresIn: 600 } },
  },
  listWorlds: { summary: 'List worlds', reply: pageOf(worldSummary) },
  getWorld: {
    summary: 'Get a world',
    params,
    reply: worldSummary,
    example: { needs: 'name of a world, from createWorld' },
  },
  diffWorlds: {
    summary: 'Compare two worlds',
    description: 'Records and fields in which the other world differs from this world.',
    params,
    query: z.object({
      with: worldName.describe('World to compare with. It can be the same world if `at` or `withAt` is set.'),
      at: historyPoint
        .optional()
        .describe('State of a recorded world after this step, or after the last step at or before this timestamp'),
      withAt: historyPoint.optional().describe('Same as `at`, for the other world'),
    }),
    reply: worldDiff,
    otherStatuses: [409, 429],
    example: { needs: 'name of a world, from createWorld' },
  },
  deleteWorld: {
    summary: 'Delete a world',
    params,
    reply: noContent,
    otherStatuses: [409],
    example: { needs: 'name of a world, from createWorld' },
  },
})
