import { Unavailable, WorldEnded } from '../ports/failures.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import type { Snapshot } from '#contract/records/snapshot.ts'
import { createInitialStates } from './initial-state.ts'
import { openKnownFixtures } from './known-fixtures.ts'
import { findRecord, listWorlds, MAKING_TIME, sweepOrigins } from './origins.ts'
import { WorldRegistry } from './registry.ts'
import type { WorldSettings } from './running-world.ts'
import type { Backend } from './backend.ts'
import { createStoredOpener } from './stored-opener.ts'

/** The default world is made when it is missing, and a reset opens it from `snapshot`. */
export async function createStoredWorlds(
  settings: WorldSettings,
  backend: Backend,
  plan: WorldPlan,
  snapshot: Snapshot | undefined,
): Promise<WorldRegistry> {
  const { engine, others } = backend
  const { open, reopen } = createStoredOpener(settings, backend)
  const { fromSnapshot, withUsualProfile } = createInitialStates(settings)
  const initialState = snapshot && (async () => withUsualProfile(await fromSnapshot(snapshot)))
  let registry: WorldRegistry | undefined
  const follow = async () => registry?.follow(() => listWorlds(engine), reopen)
  try {
    await others?.subscribe(follow)
    await sweepOrigins(engine, others ? settings.clock.now() - MAKING_TIME : Infinity)
    const made = (await findRecord(engine, plan.name)) ? undefined : await open(plan, await initialState?.())
    const first = made ? { plan, world: made } : await reopen((await findRecord(engine, plan.name))!)
    if (initialState) first.world.initialState = initialState
    registry = new WorldRegistry(first, {
      open,
      real: settings.clock,
      fromSnapshot,
      profile: settings.profile,
      fixtures: openKnownFixtures(settings.fixtures),
      whenClosed: () => backend.close(),
      ...(others && { whenChanged: () => others.settled(), whenUnknown: follow }),
    })
    if (made) await others?.settled().catch(() => {})
    // A world that another instance is just ending is looked for again on demand.
    await follow().catch((error: unknown) => {
      if (!(error instanceof Unavailable || error instanceof WorldEnded)) throw error
    })
    return registry
  } catch (error) {
    await backend.close()
    throw error
  }
}
