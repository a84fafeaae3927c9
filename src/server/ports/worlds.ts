import type { Variation } from '#contract/records/control/variation.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import type { Snapshot, StoredRecord } from '#contract/records/snapshot.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { WorldDraft } from '#contract/records/control/world.ts'
import type { Ports } from '../ports.ts'
import type { RecordChanges } from './store.ts'

export interface Worlds {
  readonly fixtures?: KnownFixtures | undefined
  /** The profile of new worlds for which no other profile is specified. */
  readonly profile?: VendorProfile | undefined
  find(name: string): Ports | undefined
  /** Also finds a world that another instance has just created. */
  look(name: string): Promise<Ports | undefined>
  describe(name: string): WorldDescription | undefined
  readonly size: number
  list(): WorldDescription[]
  /** Creates a world with the fixtures, as a fork, or in a recorded state. Returns undefined if the name is in use. */
  create(plan: WorldPlan, past?: WorldPast): Promise<Ports | undefined>
  delete(name: string): Promise<boolean>
  reset(name: string): Promise<Ports>
  /** `head` is the sequence number before the first event. Default: derived from the real time. */
  restore(name: string, snapshot: Snapshot, head?: number): Promise<Ports>
  /** Creates a copy. Like a fork, it takes little time, because records are loaded only when the copy is read. */
  copy(ports: Ports): Promise<WorldCopy>
  /**
   * Also called for existing worlds, and before a created, reset or restored world is returned. Keep state in a weak
   * map by ports, so that it is garbage-collected with them.
   */
  onOpen(listener: WorldListener): void
}

export interface WorldCopy {
  read(name: CollectionName): Promise<readonly StoredRecord[]>
  blobs: ReadonlyMap<string, Uint8Array>
}

export interface WorldPast {
  copy: WorldCopy
  changes: RecordChanges
  seed: string
  /** Time of the world's clock in milliseconds since the epoch. */
  now: number
  faults: readonly Fault[]
  /** The sequence number before the world's first event. */
  head: number
  /** Images that were added during the recording, by digest. */
  blobs: ReadonlyMap<string, Uint8Array>
}

export type Records = Readonly<Record<string, readonly StoredRecord[]>>

/** With equal digests, worlds in different processes start with the same records. */
export interface KnownFixtures {
  name: string
  sha256(): Promise<string>
  /** `start` is in milliseconds since the epoch. */
  read(name: CollectionName, start: number): Promise<readonly StoredRecord[]>
  /** The start that most dates in the records indicate, in milliseconds since the epoch. */
  findStart(records: Records): Promise<number | undefined>
}

export type WorldListener = (ports: Ports, before?: Ports) => void | Promise<void>

/** A world draft with a name and with times in milliseconds since the epoch. */
export interface WorldPlan extends Omit<WorldDraft, 'name' | 'at' | 'now' | 'profile' | 'variation'> {
  name: string
  /** The new world starts after this step in the recording of the other world. */
  at?: number | undefined
  now?: number | undefined
  variation?: Variation | undefined
  /** Profile of the new world. If this is null, the world has no profile. */
  profile?: VendorProfile | null | undefined
}

export interface WorldDescription extends Omit<WorldPlan, 'profile'> {
  profile?: string | undefined
  /** Time at which the world was created: real time in milliseconds since the epoch. */
  createdAt: number
}
