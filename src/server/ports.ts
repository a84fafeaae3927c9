import type { VendorProfile } from '../contract/records/control/vendor-profile.ts'
import type { Variation } from '../contract/records/control/variation.ts'
import type { Blobs } from './ports/blobs.ts'
import type { Bus } from './ports/bus.ts'
import type { Certificates } from './ports/certificates.ts'
import type { Digests, Random } from './ports/chance.ts'
import type { Faults, Variations } from './ports/chaos.ts'
import type { Clock, ClockControl, Scheduler } from './ports/clock.ts'
import type { Journal } from './ports/journal.ts'
import type { OpenReplica } from './ports/replica.ts'
import type { Store } from './ports/store.ts'
import type { Streams } from './ports/streams.ts'
import type { SpanReference } from './ports/tracing.ts'
import type { Turns } from './ports/turns.ts'
import type { World, WorldState } from './ports/world.ts'
import type { ZipCodes } from './ports/zip-codes.ts'

/** The outside of the rules, one set of ports per world: a request finds its world's in `request.ports`. */
export interface Ports extends WorldState {
  world: World
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
  /** The source of a world with this seed, for one that is recorded. */
  seededRandom(seed: string): Random
  digests: Digests
  /** SHA-256 of the tokens, seller secrets and identities that the fixtures publish: they are no secrets. */
  published: ReadonlySet<string>
  blobs: Blobs
  zipCodes: ZipCodes
  /** Keeps the profile of the world, for all instances, and bends it by that; nothing: it is plain. */
  setProfile(profile: VendorProfile | undefined): Promise<void>
  /** Lets the replies of the world vary, on all instances; nothing: that of the profile ends too. */
  setVariation(variation: Variation | undefined): Promise<void>
  /** The store as a caller of document 1 finds it where writes are seen later. */
  openReplica: OpenReplica
  certificates: Certificates
  turns: Turns
  cause?: SpanReference
}
