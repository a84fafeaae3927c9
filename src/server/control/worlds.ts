import { worldOperations } from '../../contract/control/worlds.ts'
import { createWorld, deleteWorld, listWorlds, requireWorld } from '../domain/control/worlds.ts'
import { toKnownProfile } from './choices.ts'
import { type ControlContext, implementControl } from './context.ts'

export function worldRoutes({ worlds }: ControlContext) {
  return implementControl(worldOperations, {
    createWorld: async ({ ports, body, server }) =>
      createWorld(ports, worlds, {
        ...body,
        now: body.now === undefined ? undefined : Date.parse(body.now),
        profile: body.profile && toKnownProfile(body.profile, 'body.profile', server.knownPaths.list()),
      }),

    listWorlds: async () => listWorlds(worlds),
    getWorld: async ({ params: { name } }) => requireWorld(worlds, name),

    deleteWorld: async ({ params: { name } }) => deleteWorld(worlds, name),
  })
}
