import type { Engine, WorldStorage, WorldRecord } from '../adapters/engine.ts'
import { newSecret } from '../adapters/node/random.ts'
import { nodeTurns } from '../adapters/node/turns.ts'
import { readSource, type Stored, type WorldRecords } from '../adapters/record.ts'
import type { Bus } from '../ports/bus.ts'
import { Unavailable, UnusableState, WorldEnded } from '../ports/failures.ts'
import type { Store } from '../ports/store.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import { type CollectionName, collectionNames } from '../../contract/records/collections.ts'
import { type Snapshot, toClockPlace } from '../../contract/records/snapshot.ts'
import { createInitialStates, type InitialState, toClockStart } from './initial-state.ts'
import { type OpenedWorld, type WorldOpener, WorldRegistry } from './registry.ts'
import { createAssembler, type RunningWorld, type WorldSettings } from './running-world.ts'

/** What stores the worlds beyond the process, and what instances meet by. */
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
  close(): Promise<void>
}

/** The worlds of an engine; the default one is made when there is none. A reset opens that from `snapshot`. */
export async function createStoredWorlds(
  settings: WorldSettings,
  backend: Backend,
  plan: WorldPlan,
  snapshot: Snapshot | undefined,
): Promise<WorldRegistry> {
  const { engine, others } = backend
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
      whenClosed: () => backend.close(),
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

/** What a fork began with is stored before it, as a world whose name nobody can ask for, nor anybody else draw. */
const ORIGIN = '~origin'

/** Milliseconds that nobody takes from keeping an origin to keeping its fork. */
const MAKING_TIME = 3_600_000

const isOrigin = ({ plan }: WorldRecord) => plan.name.includes(ORIGIN)
const originOf = ({ plan, origin = plan.name + ORIGIN }: WorldRecord) => origin

async function listWorlds(engine: Engine): Promise<WorldRecord[]> {
  return (await engine.list()).filter((record) => !isOrigin(record))
}

/** Those of forks that were never made, or of worlds that are gone; of these what was kept before that instant. */
async function sweepOrigins(engine: Engine, before: number): Promise<void> {
  const records = await engine.list()
  const named = new Set(records.filter((each) => !isOrigin(each)).map(originOf))
  const left = records.filter((each) => isOrigin(each) && !named.has(each.plan.name) && each.createdAt < before)
  for (const { plan } of left) await discardRecord(engine, plan.name)
}

async function discardRecord(engine: Engine, name: string): Promise<void> {
  try {
    if (await findRecord(engine, name)) await (await engine.open(name)).discard()
  } catch (error) {
    // Another instance was faster.
    if (!(error instanceof WorldEnded)) throw error
  }
}

async function findRecord(engine: Engine, name: string): Promise<WorldRecord | undefined> {
  return (await engine.list()).find((record) => record.plan.name === name)
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
    const origin = plan.from === undefined ? undefined : await keepOrigin(record, state)
    const storage = await engine.create({ ...record, origin }, state)
    if (!storage && origin !== undefined) await discardRecord(engine, origin)
    // An engine may hand out what it holds of an origin only once.
    return storage && run(record, state, storage, origin === undefined ? undefined : state)
  }

  /** Before the fork itself, so that none is without it. */
  async function keepOrigin(record: WorldRecord, state: InitialState): Promise<string> {
    const { plan } = record
    const name = plan.name + ORIGIN + newSecret(6)
    const origin = { ...record, plan: { ...plan, ...state.clock, name } }
    await (await engine.create(origin, state))?.store.close()
    return name
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
    const world = assemble({ plan, state, storage, bus, clockMoves })
    const isFork = plan.from !== undefined
    return {
      ...world,
      createdAt,
      async copyState() {
        const { now, frozen } = world.ports.clockControl.read()
        const eventsFrom = Math.ceil(bus.head() / 1000)
        return { seed, clock: { now, frozen }, eventsFrom, ...(await copyContent(storage)) }
      },
      ...(isFork && { initialState: async () => (origin ??= await readOrigin(plan.name)) }),
      async discard() {
        const record = isFork ? await findRecord(engine, plan.name) : undefined
        await world.discard()
        // It is gone, whatever becomes of its origin: a start sweeps that away.
        if (record) await leaveOrigin(record).catch(() => {})
      },
    }
  }

  async function readOrigin(name: string): Promise<InitialState> {
    const fork = await findRecord(engine, name)
    if (!fork) throw new WorldEnded(name)
    const record = await findRecord(engine, originOf(fork))
    if (!record) {
      if (!(await findRecord(engine, name))) throw new WorldEnded(name)
      throw new UnusableState(`the state that the world ${name} was forked with is gone`)
    }
    const { now = real.now(), frozen = false } = record.plan
    const storage = await engine.open(record.plan.name, record.id)
    try {
      const content = await copyContent(storage)
      return { seed: record.seed, clock: { now, frozen }, eventsFrom: real.now(), ...content }
    } finally {
      await storage.store.close()
    }
  }

  /** A world that was replaced by a reset of its own leaves its origin to the new one. */
  async function leaveOrigin(record: WorldRecord): Promise<void> {
    if (!(await findRecord(engine, record.plan.name))) await discardRecord(engine, originOf(record))
  }

  return { open, reopen }
}

/** Records and images as they are at one moment. */
async function copyContent({ store, blobs, share }: WorldStorage): Promise<Pick<InitialState, 'records' | 'blobs'>> {
  const records = share?.() ?? (await readRecords(store))
  const images = readSource(records.get('symptomImages'))
  const copies = new Map<string, Uint8Array>()
  for (const image of images) {
    const sha256 = String(image['sha256'])
    const bytes = copies.has(sha256) ? undefined : await blobs.get(sha256)
    if (bytes) copies.set(sha256, bytes)
  }
  return { records, blobs: [...copies] }
}

function readRecords(store: Store): Promise<WorldRecords> {
  return store.transaction(async (tx) => {
    const found = new Map<CollectionName, readonly Stored[]>()
    for (const name of collectionNames) {
      found.set(name, await tx.collection(name).find())
      await nodeTurns.give()
    }
    return found
  })
}
