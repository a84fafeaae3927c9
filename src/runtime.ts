import { join } from 'node:path'
import { createCertificates } from './adapters/certificates/certificates.ts'
import { newSecret } from './adapters/node/random.ts'
import { createMemoryBlobs } from './adapters/memory/blobs.ts'
import { createMemoryBus } from './adapters/memory/bus.ts'
import { createMemoryStore } from './adapters/memory/store.ts'
import { nodeDigests } from './adapters/node/digests.ts'
import { systemClock, systemTimer } from './adapters/node/clock.ts'
import { createZipCodeTable } from './adapters/node/zip-codes.ts'
import type { Config } from './config.ts'
import { type Clock, DEFAULT_WORLD, type Ports, type WorldPlan } from './ports.ts'
import { createAssembler, type Foundation, numberedFrom } from './worlds/assembly.ts'
import { createBeginnings } from './worlds/beginnings.ts'
import { openKeeper } from './worlds/keeper.ts'
import { createKeptWorlds } from './worlds/kept-worlds.ts'
import type { Snapshot } from './schemas/snapshot.ts'
import { checkFixtures, readFixtures } from './seed/fixtures.ts'
import { readSnapshotFile } from './seed/snapshot-file.ts'
import { createWorlds } from './worlds/open-worlds.ts'
import type { OpenWorld } from './worlds/open-world.ts'
import type { WorldRegistry } from './worlds/registry.ts'

/** Puts the adapters behind the ports, as the configuration says. `fixtures` is the folder of the built-in ones. */
export async function createRuntime(config: Config, fixtures: string): Promise<WorldRegistry> {
  const foundation: Foundation = {
    fixtures: await readFixtures(config.FIXTURES ?? fixtures),
    zipCodes: createZipCodeTable(join(fixtures, 'zip-codes.tsv.gz')),
    clock: systemClock,
    publicUrl: config.PUBLIC_URL,
    subscriptionTtl: config.SUBSCRIPTION_TTL && config.SUBSCRIPTION_TTL * 1000,
  }
  // Ours are known to be right. Somebody else's are looked at now, not when a world is first reset or asked.
  if (config.FIXTURES !== undefined) checkFixtures(foundation.fixtures, systemClock.now())
  const snapshot =
    config.SNAPSHOT === undefined ? undefined : await readSnapshotFile(config.SNAPSHOT, nodeDigests, systemClock)
  const plan: WorldPlan = { name: DEFAULT_WORLD, seed: snapshot ? snapshot.seed : config.SEED }
  const keeper = await openKeeper(config, systemClock)
  if (keeper) return createKeptWorlds(foundation, keeper, plan, snapshot)
  const open = createWorldOpener(foundation)
  return createWorlds({ plan, world: open(plan, snapshot), snapshot }, open, systemClock)
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
    const { clock, records, blobs } = begin(plan, snapshot)
    const housing = { store: createMemoryStore({ records }), blobs: createMemoryBlobs(blobs) }
    const bus = createMemoryBus(numberedFrom(plan, snapshot !== undefined, foundation.clock))
    return assemble({ plan, clock, housing, bus, snapshot })
  }
}
