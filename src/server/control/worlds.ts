import { worldOperations } from '#contract/control/worlds.ts'
import type { RecordedMoment } from '#contract/records/control/world.ts'
import { diffRecords, readAsItWas, readNow } from '../domain/control/world-diff.ts'
import { createWorld, deleteWorld, listWorlds, lookUpWorld, requireWorld } from '../domain/control/worlds.ts'
import { signalWhileHeard } from '../http/connection/client-left.ts'
import { toKnownProfile } from './choices.ts'
import { type ControlContext, implementControl } from './context.ts'
import type { KeptRecordings } from '../recording/kept-recordings.ts'

export function worldRoutes({ worlds, jobs }: ControlContext, recordings: KeptRecordings) {
  const readPast = async (name: string, at: RecordedMoment, target: string) =>
    recordings.readPast(await lookUpWorld(worlds, name), { at, target })

  return implementControl(worldOperations, {
    createWorld: async ({ ports, body, server }) => {
      const { at, ...draft } = body ?? {}
      const past = at === undefined ? undefined : await readPast(draft.from!, at, 'body.at')
      const plan = {
        ...draft,
        now: draft.now === undefined ? undefined : Date.parse(draft.now),
        profile: draft.profile && toKnownProfile(draft.profile, 'body.profile', server.knownPaths.list()),
      }
      return createWorld(ports, worlds, plan, past)
    },

    listWorlds: async () => listWorlds(worlds),
    getWorld: async ({ params: { name } }) => requireWorld(worlds, name),

    diffWorlds: async (request, reply) => {
      const { name } = request.params
      const { query } = request
      const signal = signalWhileHeard(request, reply)
      const read = async (of: string, at: RecordedMoment | undefined, target: string) =>
        at === undefined
          ? readNow((await lookUpWorld(worlds, of)).store, signal)
          : readAsItWas(await readPast(of, at, target), signal)
      return jobs.run(async () => {
        const before = await read(name, query.at, 'query.at')
        const after = await read(query.with, query.withAt, 'query.withAt')
        return diffRecords(before, after, signal)
      })
    },

    deleteWorld: async ({ params: { name } }) => deleteWorld(worlds, name),
  })
}
