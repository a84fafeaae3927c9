import { join } from 'node:path'
import { createCertificates } from './adapters/certificates.ts'
import { newSecret } from './adapters/crypto-random.ts'
import { type Engine, toClockPlace, type WorldRecord } from './adapters/engine.ts'
import { createMemoryBlobs } from './adapters/memory-blobs.ts'
import { createMemoryStore } from './adapters/memory-store.ts'
import { nodeDigests } from './adapters/node-digests.ts'
import { systemClock, systemTimer } from './adapters/system-clock.ts'
import { createWorldClock } from './adapters/world-clock.ts'
import { createZipCodeTable } from './adapters/zip-code-table.ts'
import type { Config } from './config.ts'
import { type Clock, DEFAULT_WORLD, type Ports, type WorldPlan } from './ports.ts'
import { createAssembler, type Foundation } from './runtime/assembly.ts'
import { createBeginnings, toClockState } from './runtime/beginnings.ts'
import type { Snapshot } from './schemas/snapshot.ts'
import { readFixtures } from './seed.ts'
import { readSnapshotFile } from './seed/snapshot-file.ts'
import { createWorlds, type FirstWorld, type OpenWorld, type Origin, type WorldRegistry } from './worlds.ts'

/** Puts the adapters behind the ports, as the configuration says. `fixtures` is the folder of the built-in ones. */
export async function createRuntime(config: Config, fixtures: string): Promise<WorldRegistry> {
  const foundation: Foundation = {
    fixtures: await readFixtures(config.FIXTURES ?? fixtures),
    zipCodes: createZipCodeTable(join(fixtures, 'zip-codes.tsv.gz')),
    clock: systemClock,
    publicUrl: config.PUBLIC_URL,
    subscriptionTtl: config.SUBSCRIPTION_TTL && config.SUBSCRIPTION_TTL * 1000,
  }
  const snapshot = config.SNAPSHOT === undefined ? undefined : await readSnapshotFile(config.SNAPSHOT, nodeDigests)
  const plan: WorldPlan = { name: DEFAULT_WORLD, seed: snapshot ? snapshot.seed : config.SEED }
  const engine = await openEngine(config)
  if (engine) return createKeptWorlds(foundation, engine, plan, snapshot)
  const open = createWorldOpener(foundation)
  return createWorlds({ plan, world: open(plan, snapshot), snapshot }, open, systemClock)
}

/** Nothing when worlds live in memory alone. */
async function openEngine({ DATA_DIR, DATABASE_URL }: Config): Promise<Engine | undefined> {
  if (DATABASE_URL !== undefined) {
    const { createPostgresEngine } = await import('./adapters/postgres-engine.ts')
    return createPostgresEngine(DATABASE_URL, systemClock)
  }
  if (DATA_DIR === undefined) return undefined
  const { createLmdbEngine } = await import('./adapters/lmdb-engine.ts')
  return createLmdbEngine(DATA_DIR, nodeDigests)
}

/** The worlds that the engine has, the default one made when it has none. */
async function createKeptWorlds(foundation: Foundation, engine: Engine, plan: WorldPlan, snapshot?: Snapshot) {
  try {
    const { open, reopen } = createKeptOpener(foundation, engine)
    const isNew = !(await engine.list()).some((record) => record.plan.name === plan.name)
    // Nothing comes of it when another instance was quicker.
    const made = isNew ? await open(plan, snapshot) : undefined
    const known: FirstWorld[] = made ? [{ plan, world: made }] : []
    for (const record of await engine.list()) {
      if (!made || record.plan.name !== plan.name) known.push(await reopen(record))
    }
    const first = { ...known.find((world) => world.plan.name === plan.name)!, snapshot }
    const others = known.filter((world) => world.plan.name !== plan.name)
    return createWorlds(first, open, systemClock, { others, whenClosed: () => engine.close() })
  } catch (error) {
    await engine.abandon()
    throw error
  }
}

/** Real time, for those who must not follow a world's. */
export const realClock: Clock = systemClock

/** Milliseconds, finer than they are, to time requests by. */
export const realTimer = systemTimer

/** A key of the control API for as long as the process lives: 192 random bits. */
export function newControlKey(): string {
  return newSecret(24)
}

/** What the wallet's commands need: no world, and an authority that is kept in a directory. */
export function createWalletPorts(authority: string): Pick<Ports, 'certificates' | 'clock'> {
  return { certificates: createCertificates(authority), clock: systemClock }
}

/** Opens worlds that live as long as the process; they start with the fixtures as they are at each one's own time. */
export function createWorldOpener(foundation: Foundation) {
  const begin = createBeginnings(foundation)
  const assemble = createAssembler(foundation)
  return (plan: WorldPlan, snapshot?: Snapshot): OpenWorld => {
    const { clock, tables, blobs } = begin(plan, snapshot)
    const housing = { store: createMemoryStore({ tables }), blobs: createMemoryBlobs(blobs) }
    return assemble({ plan, clock, housing, snapshot, goesOn: snapshot !== undefined })
  }
}

/** Opens worlds that the engine keeps: new ones, and those that it has. */
export function createKeptOpener(foundation: Foundation, engine: Engine) {
  const begin = createBeginnings(foundation)
  const assemble = createAssembler(foundation)
  const real = foundation.clock

  async function open(plan: WorldPlan, snapshot?: Snapshot, origin?: Origin): Promise<OpenWorld | undefined> {
    const { clock, ...content } = begin(plan, snapshot)
    const { plan: first = plan, createdAt = real.now() } = origin ?? {}
    const record = { plan: first, seed: plan.seed, createdAt, clock: toClockPlace(clock.read()) }
    const housing = await engine.create(record, content, { replace: origin !== undefined })
    return housing && assemble({ plan, clock, housing, snapshot, goesOn: snapshot !== undefined })
  }

  async function reopen({ plan, seed, createdAt, clock: place }: WorldRecord): Promise<FirstWorld> {
    const clock = createWorldClock(real)
    clock.restore(toClockState(place))
    const housing = await engine.open(plan.name)
    const world = assemble({ plan: { ...plan, seed }, clock, housing, goesOn: true })
    return { plan, world, kept: { createdAt, seed } }
  }

  return { open, reopen }
}
