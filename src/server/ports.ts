import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { Variation } from '#contract/records/control/variation.ts'
import type { Blobs } from './ports/blobs.ts'
import type { Bus } from './ports/bus.ts'
import type { Certificates } from './ports/certificates.ts'
import type { Digests, Random } from './ports/chance.ts'
import type { Faults, Variations } from './ports/chaos.ts'
import type { Clock, ClockControl, Scheduler } from './ports/clock.ts'
import type { Journal } from './ports/journal.ts'
import type { Store } from './ports/store.ts'
import type { Streams } from './ports/streams.ts'
import type { SpanReference } from './ports/tracing.ts'
import type { World, WorldState } from './ports/world.ts'
import type { ZipCodes } from './ports/zip-codes.ts'

/** Each world has its own set of ports, which a request finds in `request.ports`. */
export interface Ports {
  world: World
  state: WorldState
  store: Store
  clock: Clock
  clockControl: ClockControl
  scheduler: Scheduler
  bus: Bus
  streams: Streams
  journal: Journal
  faults: Faults
  variations: Variations
  random: Random
  /** A recorded world draws from the source of its recording's seed. */
  seededRandom(seed: string): Random
  digests: Digests
  /** SHA-256 of tokens, secrets and identities in the fixtures, which are public. */
  published: ReadonlySet<string>
  blobs: Blobs
  zipCodes: ZipCodes
  /** Applies the profile on all instances and stores it. Undefined removes it. */
  setProfile(profile: VendorProfile | undefined): Promise<void>
  /** Lets replies vary on all instances; undefined ends the profile's variation too. */
  setVariation(variation: Variation | undefined): Promise<void>
  certificates: Certificates
  cause?: SpanReference
}
