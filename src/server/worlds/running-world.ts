import { createCertificates } from '../adapters/certificates/certificates.ts'
import type { WorldStorage, StoredClock } from '../adapters/engine.ts'
import { createMemoryFaults, createMemoryVariations } from '../adapters/memory/chaos.ts'
import { createMemoryJournal } from '../adapters/memory/journal.ts'
import { createStreamDirectory } from '../adapters/memory/streams.ts'
import { nodeDigests } from '../adapters/node/digests.ts'
import { createStoredClock } from '../adapters/node/stored-clock.ts'
import { createCryptoRandom, createSeededRandom } from '../adapters/node/random.ts'
import { createWorldClock } from '../adapters/node/world-clock.ts'
import { type ChoiceValues, toChoiceValues } from '#contract/records/control/choice-values.ts'
import { watchStore } from './watched-store.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { Variation } from '#contract/records/control/variation.ts'
import type { Ports } from '../ports.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import { WorldEnded } from '../ports/failures.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import type { ZipCodes } from '../ports/zip-codes.ts'
import type { Fixtures, FixturesAt } from '../seed/fixtures.ts'
import { type InitialState, toClockStart } from './initial-state.ts'
import { applyProfile, type StoredProfile, refresh, writeProfile, writeVariation } from './world-profile.ts'

export interface WorldSettings {
  fixtures: Fixtures
  recordsAt?: FixturesAt | undefined
  zipCodes: ZipCodes
  clock: Clock
  publicUrl?: string | undefined
  streamRetryMs: number
  profile?: VendorProfile | undefined
  usual?: Partial<ChoiceValues> | undefined
  /** SUBSCRIPTION_TTL in milliseconds. */
  subscriptionTtl?: number | undefined
}

export interface RunningWorld {
  plan: WorldPlan
  ports: Ports
  /** ID of the world in the engine. It changes with each reset. */
  id?: string
  /** Real time in milliseconds since the epoch. A reset does not change it. */
  createdAt: number
  /** Returns the state that a reset restores. Default: the fixtures. */
  initialState?: (() => InitialState | Promise<InitialState>) | undefined
  copyState(): InitialState | Promise<InitialState>
  close(): Promise<void>
  discard(): Promise<void>
  moveClock?(kept: StoredClock): void
}

interface Parts {
  plan: WorldPlan
  state: Pick<InitialState, 'seed' | 'clock' | 'faults'>
  storage: Pick<WorldStorage, 'store' | 'blobs' | 'bus'> & Partial<WorldStorage>
  clockMoves?: number | undefined
  kept: StoredProfile
  variation?: { by?: Variation | null }
}

export function createAssembler(settings: WorldSettings) {
  const { fixtures, clock: real, publicUrl, subscriptionTtl, usual = {}, zipCodes } = settings
  const certificates = createCertificates()
  const published = findPublished(fixtures)
  const random = createCryptoRandom()
  return (parts: Parts): Omit<RunningWorld, 'copyState' | 'createdAt'> => {
    const { plan, state, storage, clockMoves = 0, kept: begunWith, variation } = parts
    const { name, streamRetryMs = settings.streamRetryMs } = plan
    const { saveClock, bus } = storage
    const blobs = withFixtureImages(storage.blobs, fixtures)
    const store = watchStore(storage.store, () => ports.state.recorder)
    const clock = createWorldClock(real, state.clock)
    const place = (at: StoredClock['clock']) => clock.restore(toClockStart(at, real))
    const kept = saveClock && createStoredClock(clock, { saveClock, ping: store.ping, place, moves: clockMoves })
    const streams = createStreamDirectory()
    const journal = createMemoryJournal()
    const end = async () => {
      streams.close(true)
      journal.end(new WorldEnded(name))
      clock.close()
      await bus.close()
    }
    const ports: Ports = {
      world: {
        name,
        publicUrl,
        seed: state.seed,
        subscriptionTtl,
        streamRetryMs,
        usual,
        choices: toChoiceValues(usual),
        profile: undefined,
      },
      store,
      clock,
      clockControl: kept?.control ?? clock,
      scheduler: clock,
      bus,
      streams,
      journal,
      faults: createMemoryFaults(state.faults),
      variations: createMemoryVariations(plan.variation),
      random: state.seed === undefined ? random : createSeededRandom(state.seed, store),
      seededRandom: (seed) => createSeededRandom(seed, store),
      digests: nodeDigests,
      published,
      blobs,
      zipCodes,
      certificates,
      async setProfile(given) {
        await writeProfile(store, given, clock.now())
        applyProfile(ports, { profile: given, hits: [] })
        // Notifies other instances without moving the clock. They read the profile after each clock move.
        await kept?.control.set({})
      },
      async setVariation(given) {
        // Other instances, and this one after a restart, read the variation from the store.
        if (kept) await writeVariation(storage.store, given)
        ports.variations.set(given)
        await kept?.control.set({})
      },
      state: {
        requestCount: 0,
        coverage: { upTo: 0, what: new Set() },
        progress: { turn: Promise.resolve(), moves: new WeakMap() },
        statuses: new WeakMap(),
        streamKeys: new Set(),
      },
    }
    applyProfile(ports, begunWith)
    if (variation?.by !== undefined) ports.variations.set(variation.by ?? undefined)
    let seen = clockMoves
    return {
      ...(storage.id !== undefined && { id: storage.id }),
      plan,
      ports,
      async close() {
        await end()
        await store.close()
      },
      async discard() {
        await (storage.discard ?? store.close)()
        await end()
      },
      moveClock(at) {
        kept?.follow(at)
        if (at.moves === seen) return
        seen = at.moves
        // If the store is not available, the next call reads the settings again.
        refresh(ports).catch(() => {
          seen = -1
        })
      },
    }
  }
}

function findPublished({ read }: Fixtures): ReadonlySet<string> {
  const tokens = [...read('accessTokens').records, ...read('serviceTokens').records]
  const sellers = read('sellers').records
  const identities = [
    // Removes the prefix up to the colon from a user ID such as `profile:web-alice`.
    ...read('profiles').records.map(({ userId }) => String(userId).replace(/^[a-z]+:/, '')),
    ...read('partners').records.map(({ partnerCode }) => String(partnerCode)),
    ...read('devices').records.map(({ deviceId }) => String(deviceId)),
    ...read('locations').records.map(({ locationId }) => String(locationId)),
    ...read('installedApps').records.map(({ installedAppId }) => String(installedAppId)),
  ]
  return new Set([
    ...tokens.map(({ tokenDigest }) => String(tokenDigest)),
    ...sellers.map(({ secret }) => nodeDigests.sha256(String(secret))),
    ...identities.map((identity) => nodeDigests.sha256(identity)),
  ])
}

/** Images in the fixtures are read from there, so that worlds do not store copies. */
function withFixtureImages(blobs: Blobs, { readImages }: Pick<Fixtures, 'readImages'>): Blobs {
  if (!readImages) return blobs
  return {
    put: (digest, bytes) => blobs.put(digest, bytes),
    get: async (digest) => (await blobs.get(digest)) ?? readImages().get(digest),
    delete: (digest) => blobs.delete(digest),
    isOfFixtures: (digest) => readImages().has(digest),
  }
}
