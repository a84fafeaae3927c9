import { join } from 'node:path'
import { createCertificates } from './adapters/certificates.ts'
import { cryptoRandom, newSecret } from './adapters/crypto-random.ts'
import { createMemoryBlobs } from './adapters/memory-blobs.ts'
import { createMemoryBus } from './adapters/memory-bus.ts'
import { createMemoryFaults } from './adapters/memory-faults.ts'
import { createMemoryJournal } from './adapters/memory-journal.ts'
import { createMemoryStore } from './adapters/memory-store.ts'
import { type InitialTables, toTable } from './adapters/memory-tables.ts'
import { nodeDigests } from './adapters/node-digests.ts'
import { createSeededRandom } from './adapters/seeded-random.ts'
import { createStreamDirectory } from './adapters/stream-directory.ts'
import { systemClock } from './adapters/system-clock.ts'
import { createWorldClock } from './adapters/world-clock.ts'
import { createZipCodeTable } from './adapters/zip-code-table.ts'
import type { Config } from './config.ts'
import { type Clock, DEFAULT_WORLD, type Ports, type WorldPlan, type ZipCodes } from './ports.ts'
import type { MemoryTable } from './adapters/memory-table.ts'
import { type CollectionName, collectionNames } from './schemas/collections.ts'
import { recordsOf, type Snapshot } from './schemas/snapshot.ts'
import { type Fixtures, readFixtures, resolveFixtures } from './seed.ts'
import { readSnapshotFile } from './seed/snapshot-file.ts'
import { createWorlds, type OpenWorld, type WorldRegistry } from './worlds.ts'

/** What all worlds of a process share. */
export interface Foundation {
  fixtures: Fixtures
  zipCodes: ZipCodes
  /** Real time, which the worlds' clocks start from. */
  clock: Clock
  publicUrl?: string | undefined
  /** Milliseconds. */
  subscriptionTtl?: number | undefined
}

/** Puts the adapters behind the ports, as the configuration says. `fixtures` is the folder of the built-in ones. */
export async function createRuntime(config: Config, fixtures: string): Promise<WorldRegistry> {
  const foundation: Foundation = {
    fixtures: await readFixtures(config.FIXTURES ?? fixtures),
    zipCodes: createZipCodeTable(join(fixtures, 'zip-codes.tsv.gz')),
    clock: systemClock,
    publicUrl: config.PUBLIC_URL,
    subscriptionTtl: config.SUBSCRIPTION_TTL && config.SUBSCRIPTION_TTL * 1000,
  }
  const open = createWorldOpener(foundation)
  const snapshot = config.SNAPSHOT === undefined ? undefined : await readSnapshotFile(config.SNAPSHOT, nodeDigests)
  const plan: WorldPlan = { name: DEFAULT_WORLD, seed: snapshot ? snapshot.seed : config.SEED }
  return createWorlds({ plan, world: open(plan, snapshot), snapshot }, open, systemClock)
}

/** Real time, for those who must not follow a world's. */
export const realClock: Clock = systemClock

/** A key of the control API for as long as the process lives: 192 random bits. */
export function newControlKey(): string {
  return newSecret(24)
}

/** What the wallet's commands need: no world, and an authority that is kept in a directory. */
export function createWalletPorts(authority: string): Pick<Ports, 'certificates' | 'clock'> {
  return { certificates: createCertificates(authority), clock: systemClock }
}

/** Opens worlds that start with the fixtures as they are at each world's own time. */
export function createWorldOpener({ fixtures, zipCodes, clock: real, publicUrl, subscriptionTtl }: Foundation) {
  const shared = shareFixtures(fixtures)
  const certificates = createCertificates()

  return (plan: WorldPlan, snapshot?: Snapshot): OpenWorld => {
    const clock = createWorldClock(real, plan.now)
    if (snapshot) clock.restore(toClockState(snapshot))
    const start = clock.now()
    const secret = plan.seed === undefined ? newSecret(32) : nodeDigests.sha256(`secret ${plan.seed}`)
    const tables: InitialTables = new Map<CollectionName, MemoryTable | (() => MemoryTable)>([
      ['settings', () => toTable('settings', [{ name: 'secret', value: secret }])],
      ...(snapshot ? tablesOf(snapshot) : [...shared, ...datedTables(fixtures, start)]),
    ])
    const store = createMemoryStore({ tables })
    // Events of a seeded world are numbered alike wherever it starts; one that goes on must not number them again.
    const bus = createMemoryBus(plan.seed === undefined || snapshot ? real.now() : 0)
    const streams = createStreamDirectory()
    return {
      ports: {
        world: { name: plan.name, publicUrl, seed: plan.seed, subscriptionTtl },
        store,
        clock,
        clockControl: clock,
        scheduler: clock,
        bus,
        streams,
        journal: createMemoryJournal(),
        faults: createMemoryFaults(snapshot?.faults),
        random: plan.seed === undefined ? cryptoRandom : createSeededRandom(plan.seed, store),
        digests: nodeDigests,
        blobs: createMemoryBlobs(blobsOf(snapshot)),
        zipCodes,
        certificates,
      },
      async close() {
        streams.close()
        clock.close()
        await bus.close()
        await store.close()
      },
    }
  }
}

function datedTables(fixtures: Fixtures, start: number) {
  return [...fixtures.dated].map((name) => [name, () => toTable(name, resolveFixtures(fixtures, name, start))] as const)
}

/** What a snapshot says of a collection is all of it; one it does not name is empty. */
function tablesOf(snapshot: Snapshot) {
  const named = collectionNames.filter((name) => recordsOf(snapshot, name).length > 0)
  return named.map((name) => [name, toTable(name, recordsOf(snapshot, name))] as const)
}

function toClockState({ clock }: Snapshot) {
  return 'frozenAt' in clock ? { offsetMs: 0, frozenAt: Date.parse(clock.frozenAt) } : { ...clock, frozenAt: null }
}

function blobsOf(snapshot: Snapshot | undefined): [string, Uint8Array][] {
  return Object.entries(snapshot?.blobs ?? {}).map(([digest, text]) => [digest, Buffer.from(text, 'base64')])
}

/** Tables of the fixtures without dates, which every world starts from. */
function shareFixtures(fixtures: Fixtures) {
  const undated = collectionNames.filter((name) => fixtures.records.has(name) && !fixtures.dated.has(name))
  return undated.map((name) => [name, toTable(name, resolveFixtures(fixtures, name, 0))] as const)
}
