import type { WorldStorage, WorldRecord } from '../adapters/engine.ts'
import { toClockPlace } from '#contract/records/snapshot.ts'
import { createInitialStates, type InitialState, toClockStart } from './initial-state.ts'
import { copyContent, discardRecord, findRecord, keepOrigin, leaveOrigin, readOrigin } from './origins.ts'
import type { OpenedWorld, WorldOpener } from './registry.ts'
import { readProfile, readVariation, withoutVariation } from './world-profile.ts'
import { createAssembler, type RunningWorld, type WorldSettings } from './running-world.ts'
import type { Backend } from './backend.ts'

export function createStoredOpener(settings: WorldSettings, { engine }: Backend) {
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
    // An engine may give its copy of an origin only once.
    return storage && run(record, state, storage, origin === undefined ? undefined : state)
  }

  async function reopen(record: WorldRecord): Promise<OpenedWorld> {
    const storage = await engine.open(record.plan.name, record.id)
    return { plan: record.plan, world: await run(record, {}, storage) }
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
        // The world is gone even when its origin stays, which a start sweeps.
        if (record) await leaveOrigin(engine, record).catch(() => {})
      },
    }
  }

  return { open, reopen }
}
