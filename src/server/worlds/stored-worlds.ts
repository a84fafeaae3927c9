import type { Engine, WorldRecord, WorldStorage } from '../adapters/engine.ts'
import { Unavailable, WorldEnded } from '../ports/failures.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import { type Snapshot, toClockPlace } from '#contract/records/snapshot.ts'
import { createInitialStates, type InitialState, type InitialStates, toClockStart } from './initial-state.ts'
import {
  copyContent,
  discardRecord,
  findRecord,
  storeOrigin,
  releaseOrigin,
  listWorlds,
  MAKING_TIME,
  readOrigin,
  sweepOrigins,
} from './origins.ts'
import { type WorldOpener, WorldRegistry } from './registry.ts'
import { createAssembler, type RunningWorld, type WorldSettings } from './running-world.ts'
import { readProfile, readVariation, withoutVariation } from './world-profile.ts'

/** A reset returns the default world to `snapshot` or, if absent, to the fixtures. */
export async function createStoredWorlds(
  settings: WorldSettings,
  engine: Engine,
  plan: WorldPlan,
  snapshot: Snapshot | undefined,
  report?: (line: string) => void,
): Promise<WorldRegistry> {
  const { others } = engine
  const states = createInitialStates(settings)
  const { open, reopen } = createStoredOpener(settings, states, engine)
  const initialState = snapshot && (async () => states.withUsualProfile(await states.fromSnapshot(snapshot)))
  let registry: WorldRegistry | undefined
  const follow = async () => registry?.follow(() => listWorlds(engine), reopen)
  try {
    await others?.subscribe(follow)
    await sweepOrigins(engine, others ? settings.clock.now() - MAKING_TIME : Infinity)
    const made = (await findRecord(engine, plan.name)) ? undefined : await open(plan, await initialState?.())
    const record = made ? undefined : (await findRecord(engine, plan.name))!
    const first = made ?? (await reopen(record!))
    const unapplied = record && (snapshot ? unappliedSnapshot(plan) : describeUnapplied(record, first, plan, settings))
    if (unapplied) report?.(unapplied)
    if (initialState) first.initialState = initialState
    registry = new WorldRegistry(first, {
      ...states,
      open,
      whenClosed: () => engine.close(),
      ...(others && { whenChanged: () => others.settled(), whenUnknown: follow }),
    })
    if (made) await others?.settled().catch(() => {})
    // Ignores a world that another instance is deleting at this time. If the world is needed, it is looked up again.
    await follow().catch((error: unknown) => {
      if (!(error instanceof Unavailable || error instanceof WorldEnded)) throw error
    })
    return registry
  } catch (error) {
    await engine.close()
    throw error
  }
}

const RESET = 'run npx --no vendor-cloud reset, which deletes the changes of the world'

const unappliedSnapshot = ({ name }: WorldPlan) =>
  `the world ${name} was already stored, so SNAPSHOT was not applied. To apply it, ${RESET}`

const nameOf = (fixtures: WorldSettings['fixtures']) => fixtures.name ?? 'custom'

function describeUnapplied(
  { seed, fixtures }: WorldRecord,
  { ports }: RunningWorld,
  plan: WorldPlan,
  settings: WorldSettings,
): string | undefined {
  const { profile } = settings
  const names = [
    ...(plan.seed !== undefined && plan.seed !== seed ? ['SEED'] : []),
    ...(fixtures !== undefined && nameOf(settings.fixtures) !== fixtures ? ['FIXTURES'] : []),
    ...(profile && profile.profile !== ports.world.profile?.profile ? ['PROFILE'] : []),
  ]
  if (names.length === 0) return undefined
  const way = names.includes('SEED') ? 'use a new DATA_DIR or an empty database' : RESET
  return `the stored world ${plan.name} keeps the ${names.join(' and ')} it was created with. To change this, ${way}`
}

function createStoredOpener(settings: WorldSettings, { fromFixtures, real }: InitialStates, engine: Engine) {
  const assemble = createAssembler(settings)

  const open: WorldOpener = async (plan, given, replaced) => {
    const state = given ?? fromFixtures(plan)
    const fixtures = given ? undefined : nameOf(settings.fixtures)
    const { now, frozen, realNow = real.now() } = state.clock
    const clock = toClockPlace({ now, frozen, offsetMs: now - realNow })
    const createdAt = replaced?.createdAt ?? real.now()
    const record = { plan, seed: state.seed, fixtures, createdAt, clock }
    if (replaced) {
      const known = await findRecord(engine, plan.name)
      const storage = known && (await engine.create({ ...record, origin: known.origin }, state, { replace: true }))
      return storage && run(record, state, storage)
    }
    const origin = plan.from === undefined ? undefined : await storeOrigin(engine, record, state)
    const storage = await engine.create({ ...record, origin }, state)
    if (!storage && origin !== undefined) await discardRecord(engine, origin)
    // The state is read from the engine if this instance did not create the fork.
    return storage && run(record, state, storage, origin === undefined ? undefined : state)
  }

  async function reopen(record: WorldRecord): Promise<RunningWorld> {
    const storage = await engine.open(record.plan.name, record.id)
    return run(record, {}, storage)
  }

  async function run(
    { plan, seed, createdAt, clock, clockMoves }: WorldRecord,
    { faults }: Pick<InitialState, 'faults'>,
    storage: WorldStorage,
    origin?: InitialState,
  ): Promise<RunningWorld> {
    const { bus } = storage
    const state = { seed, clock: toClockStart(clock, real), faults }
    const world = assemble({
      plan,
      state,
      storage,
      clockMoves,
      kept: await readProfile(storage.store),
      variation: await readVariation(storage.store),
    })
    const isFork = plan.from !== undefined
    return {
      ...world,
      createdAt,
      async copyState() {
        const { now, frozen } = world.ports.clockControl.read()
        const eventsFrom = Math.ceil(bus.head() / 1000)
        const content = await copyContent(storage, world.ports.blobs)
        return withoutVariation({ seed, clock: { now, frozen }, eventsFrom, ...content })
      },
      ...(isFork && { initialState: async () => (origin ??= await readOrigin(engine, plan.name, real)) }),
      async discard() {
        const record = isFork ? await findRecord(engine, plan.name) : undefined
        await world.discard()
        // The world counts as deleted. The next server start removes an origin that is left.
        if (record) await releaseOrigin(engine, record).catch(() => {})
      },
    }
  }

  return { open, reopen }
}
