import { z } from 'zod'
import { createWorld, deleteWorld, listWorlds, requireWorld } from '../domain/control/worlds.ts'
import { noContent } from '../http/zod.ts'
import { worldSummary, worldDraft } from '../schemas/control/world.ts'
import { type ControlContext, controlOperation } from './context.ts'

export function worldRoutes({ worlds }: ControlContext) {
  const params = z.object({ name: z.string() })
  const tag = 'Worlds'

  return [
    controlOperation({
      operation: 'createWorld',
      method: 'POST',
      path: '/_control/worlds',
      tag,
      summary:
        'Make a world of its own, from fixtures or as a fork of another: records, clock, ids, faults, journal, outbox',
      body: worldDraft,
      reply: worldSummary,
      further: [400, 404, 409],
      run: async ({ body }) =>
        createWorld(worlds, { ...body, now: body.now === undefined ? undefined : Date.parse(body.now) }),
    }),

    controlOperation({
      operation: 'listWorlds',
      method: 'GET',
      path: '/_control/worlds',
      tag,
      reply: z.object({ items: z.array(worldSummary), totalCount: z.int() }),
      run: async () => listWorlds(worlds),
    }),

    controlOperation({
      operation: 'getWorld',
      method: 'GET',
      path: '/_control/worlds/:name',
      tag,
      params,
      reply: worldSummary,
      further: [404],
      run: async ({ params: { name } }) => requireWorld(worlds, name),
    }),

    controlOperation({
      operation: 'deleteWorld',
      method: 'DELETE',
      path: '/_control/worlds/:name',
      tag,
      params,
      reply: noContent,
      further: [404, 409],
      run: async ({ params: { name } }) => deleteWorld(worlds, name),
    }),
  ]
}
