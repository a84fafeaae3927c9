import { cryptoRandom } from './adapters/crypto-random.ts'
import { createMemoryBlobs } from './adapters/memory-blobs.ts'
import { createMemoryStore, toTables } from './adapters/memory-store.ts'
import { nodeDigests } from './adapters/node-digests.ts'
import { createSeededRandom } from './adapters/seeded-random.ts'
import { systemClock } from './adapters/system-clock.ts'
import { createWorldClock } from './adapters/world-clock.ts'
import { createZipCodeTable } from './adapters/zip-code-table.ts'
import type { Config } from './config.ts'
import { type Clock, DEFAULT_WORLD, type Ports, type Worlds } from './ports.ts'
import { collectionNames } from './schemas/collections.ts'
import { type Fixtures, readFixtures, resolveFixtures } from './seed.ts'

export interface Runtime {
  worlds: Worlds
  close(): Promise<void>
}

/** Puts the adapters behind the ports, as the configuration says. `fixtures` is the folder to start from. */
export async function createRuntime(config: Config, fixtures: string): Promise<Runtime> {
  const source = await readFixtures(config.FIXTURES ?? fixtures)
  const ports = createWorld(DEFAULT_WORLD, source, {
    clock: systemClock,
    zipCodesFile: `${fixtures}/zip-codes.tsv.gz`,
    ...(config.SEED ? { seed: config.SEED } : {}),
    ...(config.PUBLIC_URL ? { publicUrl: config.PUBLIC_URL } : {}),
  })
  return {
    worlds: { find: (name) => (name === DEFAULT_WORLD ? ports : undefined) },
    close: () => ports.store.close(),
  }
}

export interface WorldOptions {
  /** Real time, which the world's clock starts from. */
  clock: Clock
  zipCodesFile: string
  seed?: string
  publicUrl?: string
}

/** A world of its own, which starts with the fixtures as they are at its clock's time. */
export function createWorld(name: string, fixtures: Fixtures, options: WorldOptions): Ports {
  const now = options.clock.now()
  const records = new Map(collectionNames.map((each) => [each, resolveFixtures(fixtures, each, now)]))
  const store = createMemoryStore({ tables: toTables(records) })
  const clock = createWorldClock(options.clock)
  return {
    world: { name, publicUrl: options.publicUrl },
    store,
    clock,
    clockControl: clock,
    scheduler: clock,
    random: options.seed === undefined ? cryptoRandom : createSeededRandom(options.seed, store),
    digests: nodeDigests,
    blobs: createMemoryBlobs(),
    zipCodes: createZipCodeTable(options.zipCodesFile),
  }
}
