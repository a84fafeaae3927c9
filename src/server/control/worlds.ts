import { worldOperations } from '../../contract/control/worlds.ts'
import { createWorld, deleteWorld, listWorlds, requireWorld } from '../domain/control/worlds.ts'
import { type ControlContext, implementControl } from './context.ts'

export function worldRoutes({ worlds }: ControlContext) {
  return implementControl(worldOperations, {
    createWorld: async ({ ports, body }) =>
      createWorld(ports, worlds, { ...body, now: body.now === undefined ? undefined : Date.parse(body.now) }),

    listWorlds: async () => listWorlds(worlds),
    getWorld: async ({ params: { name } }) => requireWorld(worlds, name),

    deleteWorld: async ({ params: { name } }) => deleteWorld(worlds, name),
  })
}
