import { z } from 'zod'
import { createWorld, deleteWorld, listWorlds, requireWorld } from '../domain/control/worlds.ts'
import { noContent } from '../../contract/operation.ts'
import { worldDraft, worldPage, worldSummary } from '../../contract/records/control/world.ts'
import { type ControlContext, controlOperations } from './context.ts'

export function worldRoutes({ worlds }: ControlContext) {
  const params = z.object({ name: z.string() })
  const declare = controlOperations('Worlds')

  return [
    declare({
      operation: 'createWorld',
      route: 'POST /_control/worlds',
      summary:
        'Make a world of its own, from fixtures or as a fork of another: records, clock, ids, faults, journal, outbox',
      body: worldDraft,
      reply: worldSummary,
      further: [400, 404, 409],
      run: async ({ body }) =>
        createWorld(worlds, { ...body, now: body.now === undefined ? undefined : Date.parse(body.now) }),
    }),

    declare({
      operation: 'listWorlds',
      route: 'GET /_control/worlds',
      reply: worldPage,
      run: async () => listWorlds(worlds),
    }),

    declare({
      operation: 'getWorld',
      route: 'GET /_control/worlds/:name',
      params,
      reply: worldSummary,
      further: [404],
      run: async ({ params: { name } }) => requireWorld(worlds, name),
    }),

    declare({
      operation: 'deleteWorld',
      route: 'DELETE /_control/worlds/:name',
      params,
      reply: noContent,
      further: [404, 409],
      run: async ({ params: { name } }) => deleteWorld(worlds, name),
    }),
  ]
}
