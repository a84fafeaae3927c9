import { z } from 'zod'
import { createWorld, deleteWorld, listWorlds, requireWorld } from '../domain/control/worlds.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { worldSummary, worldDraft } from '../schemas/control/world.ts'
import type { ControlApp, ControlContext } from './context.ts'

export function worldRoutes(app: ControlApp, { worlds }: ControlContext): void {
  const params = z.object({ name: z.string() })
  const tags = ['Worlds']

  app.post('/_control/worlds', {
    config: { operation: 'createWorld' },
    schema: {
      tags,
      summary:
        'Make a world of its own, from fixtures or as a fork of another: records, clock, ids, faults, journal, outbox',
      body: worldDraft,
      response: { 200: worldSummary, 400: errorBody, 403: errorBody, 404: errorBody, 409: errorBody },
    },
    handler: async ({ body }) =>
      createWorld(worlds, { ...body, now: body.now === undefined ? undefined : Date.parse(body.now) }),
  })

  app.get('/_control/worlds', {
    config: { operation: 'listWorlds' },
    schema: {
      tags,
      response: { 200: z.object({ items: z.array(worldSummary), totalCount: z.int() }), 403: errorBody },
    },
    handler: async () => listWorlds(worlds),
  })

  app.get('/_control/worlds/:name', {
    config: { operation: 'getWorld' },
    schema: { tags, params, response: { 200: worldSummary, 403: errorBody, 404: errorBody } },
    handler: async ({ params: { name } }) => requireWorld(worlds, name),
  })

  app.delete('/_control/worlds/:name', {
    config: { operation: 'deleteWorld' },
    schema: { tags, params, response: { 204: noContent, 403: errorBody, 404: errorBody, 409: errorBody } },
    handler: async ({ params: { name } }, reply) => {
      await deleteWorld(worlds, name)
      return reply.code(204).send(undefined)
    },
  })
}
