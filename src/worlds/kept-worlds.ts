import { type Engine, toClockPlace, type WorldRecord } from '../adapters/engine.ts'
import { createWorldClock } from '../adapters/node/world-clock.ts'
import { type WorldPlan, WorldEnded } from '../ports.ts'
import type { Snapshot } from '../schemas/snapshot.ts'
import { createWorlds } from './open-worlds.ts'
import type { FirstWorld, OpenWorld, Origin } from './open-world.ts'
import type { WorldRegistry } from './registry.ts'
import { createAssembler, type Foundation, numberedFrom } from './assembly.ts'
import { createBeginnings, toClockState } from './beginnings.ts'
import type { Keeper } from './keeper.ts'

/** The worlds that are kept; the default one is made when there is none. A reset opens that from `snapshot`. */
export async function createKeptWorlds(
  foundation: Foundation,
  keeper: Keeper,
  plan: WorldPlan,
  snapshot: Snapshot | undefined,
): Promise<WorldRegistry> {
  const { engine } = keeper
  const { open, reopen } = createKeptOpener(foundation, keeper)
  let registry: WorldRegistry | undefined
  const takeUp = async () => registry?.follow(() => engine.list(), reopen)
  try {
    await keeper.listen(takeUp)
    const made = (await findRecord(engine, plan.name)) ? undefined : await open(plan, snapshot)
    const first = made ? { plan, world: made } : await reopen((await findRecord(engine, plan.name))!)
    const others = keeper.isShared ? { whenChanged: () => keeper.tell(), whenUnknown: takeUp } : {}
    const options = { whenClosed: () => keeper.close(), ...others }
    registry = createWorlds({ ...first, snapshot }, open, foundation.clock, options)
    if (made) await keeper.tell().catch(() => {})
    // The other worlds. One that another instance is just ending is looked for again when it is asked for.
    await takeUp().catch((error: unknown) => {
      if (!(error instanceof WorldEnded)) throw error
    })
    return registry
  } catch (error) {
    await keeper.abandon()
    throw error
  }
}

async function findRecord(engine: Engine, name: string): Promise<WorldRecord | undefined> {
  return (await engine.list()).find((record) => record.plan.name === name)
}

/** Opens new worlds for the engine to keep, and those that it has. */
function createKeptOpener(foundation: Foundation, { engine, openBus }: Keeper) {
  const begin = createBeginnings(foundation)
  const assemble = createAssembler(foundation)
  const real = foundation.clock

  async function open(plan: WorldPlan, snapshot?: Snapshot, origin?: Origin): Promise<OpenWorld | undefined> {
    const { clock, ...content } = begin(plan, snapshot)
    const { plan: first = plan, createdAt = real.now() } = origin ?? {}
    const record = { plan: first, seed: plan.seed, createdAt, clock: toClockPlace(clock.read()) }
    const housing = await engine.create(record, content, { replace: origin !== undefined })
    if (!housing) return undefined
    const bus = await openBus(housing.id, numberedFrom(plan, snapshot !== undefined, real))
    return assemble({ plan, clock, housing, bus, snapshot })
  }

  async function reopen({ id, plan, seed, createdAt, clock: place, clockMoves }: WorldRecord): Promise<FirstWorld> {
    const clock = createWorldClock(real)
    clock.restore(toClockState(place))
    const housing = await engine.open(plan.name, id)
    const now = { ...plan, seed }
    const bus = await openBus(housing.id, numberedFrom(now, true, real))
    return { plan, world: assemble({ plan: now, clock, housing, bus, clockMoves }), kept: { createdAt, seed } }
  }

  return { open, reopen }
}
