import type { Engine, WorldStorage, WorldRecord } from '../adapters/engine.ts'
import type { Bus } from '../ports/bus.ts'
import { Unavailable, WorldEnded } from '../ports/failures.ts'
import type { Peers } from '../ports/peers.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import { type Snapshot, toClockPlace } from '../../contract/records/snapshot.ts'
import { createInitialStates, type InitialState, toClockStart } from './initial-state.ts'
import { openKnownFixtures } from './known-fixtures.ts'
import {
  copyContent,
  discardRecord,
  findRecord,
  keepOrigin,
  leaveOrigin,
  listWorlds,
  MAKING_TIME,
  readOrigin,
  sweepOrigins,
} from './origins.ts'
import { type OpenedWorld, type WorldOpener, WorldRegistry } from './registry.ts'
import { readProfile, readVariation, withoutVariation } from './world-profile.ts'
import { createAssembler, type RunningWorld, type WorldSettings } from './running-world.ts'

/** The store of worlds beyond the process, and the engine by which instances meet. */
export interface Backend {
  engine: Engine
  /** The bus of a world; `startedAt` is the instant that its events are numbered from where none were kept. */
  openBus(storage: WorldStorage, startedAt: number): Promise<Bus & { forget?(): Promise<void> }>
  /** Other instances, which may change what it stores. */
  others?: {
    /** Tells them that worlds have changed; resolves when they follow, or have had time enough. */
    notify(): Promise<void>
    /** Calls when one of them has changed worlds or clocks. */
    subscribe(listener: () => Promise<void>): Promise<void>
  }
  /** The instances that it is shared with. */
  peers?: Peers
  close(): Promise<void>
}

/** The worlds of an engine; the default one is made when there is none. A reset opens that from `snapshot`. */
export async function createStoredWorlds(
  settings: WorldSettings,
  backend: Backend,
  plan: WorldPlan,
  snapshot: Snapshot | undefined,
): Promise<WorldRegistry> {
  const { engine, others, peers } = backend
  const { open, reopen } = createStoredOpener(settings, backend)
  const { fromSnapshot } = createInitialStates(settings)
  const initialState = snapshot && (() => fromSnapshot(snapshot))
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
      fixtures: openKnownFixtures(settings.fixtures),
      whenClosed: () => backend.close(),
      ...(peers && { peers }),
      ...(others && { whenChanged: () => others.notify(), whenUnknown: follow }),
    })
    if (made) await others?.notify().catch(() => {})
    // The other worlds. One that another instance is just ending is looked for again when it is asked for.
    await follow().catch((error: unknown) => {
      if (!(error instanceof Unavailable || error instanceof WorldEnded)) throw error
    })
    return registry
  } catch (error) {
    await backend.close()
    throw error
  }
}

/** Opens new worlds for the engine to store, and those that it has. */
function createStoredOpener(settings: WorldSettings, { engine, openBus }: Backend) {
  const { fromFixtures } = createInitialStates(settings)
  const assemble = createAssembler(settings)
  const { clock: real } = settings

  const open: WorldOpener = async (plan, state = fromFixtures(plan), replaced) => {
    const { now, frozen, realNow = real.now() } = state.clock
    const clock = toClockPlace({ now, frozen, offsetMs: now - realNow })
    const record = { plan, seed: state.seed, createdAt: replaced?.createdAt ?? real.now(), clock }
    if (replaced) {
      const known = await findRecord(engine, plan.name)
      const storage = known && (await engine.create({ ...record, origin: known.origin }, state, { replace: true }))
      return storage && run(record, state, storage)
    }
    const origin = plan.from === undefined ? undefined : await keepOrigin(engine, record, state)
    const storage = await engine.create({ ...record, origin }, state)
    if (!storage && origin !== undefined) await discardRecord(engine, origin)
    // An engine may hand out what it holds of an origin only once.
    return storage && run(record, state, storage, origin === undefined ? undefined : state)
  }

  async function reopen(record: WorldRecord): Promise<OpenedWorld> {
    const storage = await engine.open(record.plan.name, record.id)
    return { plan: record.plan, world: await run(record, { eventsFrom: real.now() }, storage) }
  }

  async function run(
    { plan, seed, createdAt, clock, clockMoves }: WorldRecord,
    { eventsFrom, faults }: Pick<InitialState, 'eventsFrom' | 'faults'>,
    storage: WorldStorage,
    origin?: InitialState,
  ): Promise<RunningWorld> {
    const bus = await openBus(storage, eventsFrom)
    // Where the clock stands is read only now: real time went on while the bus was opened.
    const state = { seed, clock: toClockStart(clock, real), faults }
    const world = assemble({
      plan,
      state,
      storage,
      bus,
      clockMoves,
      profile: await readProfile(storage.store),
      variation: await readVariation(storage.store),
    })
    const isFork = plan.from !== undefined
    return {
      ...world,
      createdAt,
      async copyState() {
        const { now, frozen } = world.ports.clockControl.read()
        const eventsFrom = Math.ceil(bus.head() / 1000)
        return withoutVariation({ seed, clock: { now, frozen }, eventsFrom, ...(await copyContent(storage)) })
      },
      ...(isFork && { initialState: async () => (origin ??= await readOrigin(engine, plan.name, real)) }),
      async discard() {
        const record = isFork ? await findRecord(engine, plan.name) : undefined
        await world.discard()
        // It is gone, whatever becomes of its origin: a start sweeps that away.
        if (record) await leaveOrigin(engine, record).catch(() => {})
      },
    }
  }

  return { open, reopen }
}
