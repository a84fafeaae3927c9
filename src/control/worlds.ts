import { z } from 'zod'
import { createWorkspace, deleteWorkspace, listWorkspaces, requireWorkspace } from '../domain/control/worlds.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { workspace, workspaceDraft } from '../schemas/control/world.ts'
import type { ControlApp, ControlContext } from './routes.ts'

export function workspaces(app: ControlApp, { worlds }: ControlContext): void {
  const params = z.object({ name: z.string() })
  const tags = ['Workspaces']

  app.post('/_control/workspaces', {
    config: { operation: 'createWorkspace' },
    schema: {
      tags,
      summary: 'Make a world of its own: records, clock, ids, faults, journal, outbox',
      body: workspaceDraft,
      response: { 200: workspace, 400: errorBody, 403: errorBody, 409: errorBody },
    },
    handler: async ({ body }) =>
      createWorkspace(worlds, { ...body, now: body.now === undefined ? undefined : Date.parse(body.now) }),
  })

  app.get('/_control/workspaces', {
    config: { operation: 'listWorkspaces' },
    schema: { tags, response: { 200: z.object({ items: z.array(workspace), totalCount: z.int() }), 403: errorBody } },
    handler: async () => listWorkspaces(worlds),
  })

  app.get('/_control/workspaces/:name', {
    config: { operation: 'getWorkspace' },
    schema: { tags, params, response: { 200: workspace, 403: errorBody, 404: errorBody } },
    handler: async ({ params: { name } }) => requireWorkspace(worlds, name),
  })

  app.delete('/_control/workspaces/:name', {
    config: { operation: 'deleteWorkspace' },
    schema: { tags, params, response: { 204: noContent, 403: errorBody, 404: errorBody, 409: errorBody } },
    handler: async ({ params: { name } }, reply) => {
      await deleteWorkspace(worlds, name)
      return reply.code(204).send(undefined)
    },
  })
}
