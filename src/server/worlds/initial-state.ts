import type { WorldContent } from '../adapters/engine.ts'
import { nodeDigests } from '../adapters/node/digests.ts'
import { newSecret } from '../adapters/node/random.ts'
import { deepFreeze, type RecordSource, type Stored } from '../adapters/record.ts'
import type { Clock } from '../ports/clock.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import { type CollectionName, collectionNames } from '#contract/records/collections.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { recordsOf, type Snapshot } from '#contract/records/snapshot.ts'
import { type Fixtures, type FixturesAt, openFixtures } from '../seed/fixtures.ts'
import { openKnownFixtures } from './known-fixtures.ts'
import { withProfile } from './world-profile.ts'

export interface InitialState extends WorldContent {
  /** If defined, the IDs of the world are derived from the seed. Otherwise, they are random. */
  seed: string | undefined
  clock: { now: number; frozen: boolean; realNow?: number | undefined }
  eventsFrom: number
  faults?: readonly Fault[] | undefined
}

interface InitialStateSettings {
  fixtures: Fixtures
  /** If absent, the fixtures are resolved here. Registries that have the same fixtures can share the result. */
  recordsAt?: FixturesAt | undefined
  clock: Clock
  profile?: VendorProfile | undefined
}

export function createInitialStates(settings: InitialStateSettings) {
  const { fixtures, clock: real, profile: usual, recordsAt = openFixtures(fixtures) } = settings

  return {
    real,
    profile: usual,
    fixtures: openKnownFixtures(fixtures, recordsAt),

    /** In a world with a seed, event numbers always start at 0, so that they are reproducible. */
    fromFixtures({ seed, now: told, frozen = false, profile = usual }: WorldPlan): InitialState {
      const realNow = real.now()
      const now = told ?? realNow
      const plain = new Map<CollectionName, RecordSource>([['settings', [makeSecret(seed)]], ...recordsAt(now)])
      const records = withProfile(plain, profile, now)
      const [clock, eventsFrom] = [{ now, frozen, realNow }, seed === undefined ? realNow : 0]
      const begun = { seed, clock, eventsFrom, records, blobs: [] }
      // A pattern requires complete lists of records, but fixtures with `further` generate records on demand.
      return fixtures.further ? begun : { ...begun, pattern: fixtures, patternAt: now }
    },

    /** If the server was started with a profile, that profile replaces the one in the snapshot. */
    withUsualProfile(state: InitialState): InitialState {
      return usual ? { ...state, records: withProfile(state.records, usual, state.clock.now) } : state
    },

    /** A collection that is not in the snapshot is empty. */
    async fromSnapshot(snapshot: Snapshot): Promise<InitialState> {
      const records = new Map<CollectionName, RecordSource>()
      for (const name of collectionNames) {
        const list = recordsOf(snapshot, name)
        for await (const record of yielding(list)) deepFreeze(record)
        if (list.length > 0) records.set(name, list)
      }
      const { clock, seed, faults } = snapshot
      // A manually written snapshot may lack this setting.
      const settings = recordsOf(snapshot, 'settings')
      if (!settings.some(({ name }) => name === 'secret')) records.set('settings', [...settings, makeSecret(seed)])
      const blobs: [string, Uint8Array][] = []
      for await (const [digest, text] of yielding(snapshot.blobs)) blobs.push([digest, Buffer.from(text, 'base64')])
      // The snapshot does not contain the number of the last event, so the numbers start at the current time.
      return { seed, clock: toClockStart(clock, real), eventsFrom: real.now(), records, blobs, faults }
    },
  }
}

export type InitialStates = ReturnType<typeof createInitialStates>

function makeSecret(seed: string | undefined): Stored {
  return { name: 'secret', value: seed === undefined ? newSecret(32) : nodeDigests.sha256(`secret ${seed}`) }
}

export function toClockStart(clock: Snapshot['clock'], real: Clock): Required<InitialState['clock']> {
  const realNow = real.now()
  if ('frozenAt' in clock) return { now: Date.parse(clock.frozenAt), frozen: true, realNow }
  return { now: realNow + clock.offsetMs, frozen: false, realNow }
}
