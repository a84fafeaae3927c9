import * as z from 'zod'
import { noContent } from '../operation.ts'
import { worldDiff } from '../records/control/world-diff.ts'
import { recordedMoment, worldDraft, worldName, worldSummary } from '../records/control/world.ts'
import { pageOf } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const params = z.object({ name: z.string() })

export const worldOperations = defineControl('Worlds', {
  createWorld: {
    summary:
      'Make a world of its own, from fixtures or as a fork of another: records, clock, ids, faults, journal, outbox',
    body: worldDraft.optional(),
    optionalBody: true,
    keepsNull: ['profile'],
    // A moment that is empty is none, rather than the present.
    keepsWhole: ['body', 'headers', 'at'],
    reply: worldSummary,
    otherStatuses: [409],
    example: { body: { name: 'demo', seed: 'any text', expiresIn: 600 } },
  },
  listWorlds: { summary: 'List worlds', reply: pageOf(worldSummary) },
  getWorld: {
    summary: 'Read how a world began, and when it expires',
    params,
    reply: worldSummary,
    example: { needs: 'name of a world, from createWorld' },
  },
  diffWorlds: {
    summary: 'How another world differs from this one, record by record and field by field',
    params,
    query: z.object({
      with: worldName.meta({ description: 'The other world; the same one where a moment is told' }),
      at: recordedMoment.optional().meta({
        description: 'Of a recorded world: as it stood at this step, or at the last step by this instant',
      }),
      withAt: recordedMoment.optional().meta({ description: 'The same of the other one' }),
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
