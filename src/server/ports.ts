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

/** The ports of a world. Each world has its own ports, and `request.ports` contains those of the request's world. */
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
  /** Returns a source of random values with this seed. A recorded world uses the seed of its recording. */
  seededRandom(seed: string): Random
  digests: Digests
  /** SHA-256 digests of the tokens, secrets and identities in the fixtures. These values are public. */
  published: ReadonlySet<string>
  blobs: Blobs
  zipCodes: ZipCodes
  /** On all instances. `undefined` removes the current profile. */
  setProfile(profile: VendorProfile | undefined): Promise<void>
  /** On all instances. `undefined` also ends the variation of the profile. */
  setVariation(variation: Variation | undefined): Promise<void>
  certificates: Certificates
  cause?: SpanReference
}
