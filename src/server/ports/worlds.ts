import type { Variation } from '#contract/records/control/variation.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import type { Snapshot, StoredRecord } from '#contract/records/snapshot.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { WorldDraft } from '#contract/records/control/world.ts'
import type { Ports } from '../ports.ts'
import type { RecordChanges } from './store.ts'

/** Each world has its own records, clock, ids, faults, journal, outbox and streams. */
export interface Worlds {
  /** Undefined where worlds start with custom fixtures. */
  readonly fixtures?: KnownFixtures | undefined
  /** Worlds without a profile of their own begin with this one. */
  readonly profile?: VendorProfile | undefined
  find(name: string): Ports | undefined
  /** Also finds a world that another instance has made just now. */
  look(name: string): Promise<Ports | undefined>
  describe(name: string): WorldDescription | undefined
  readonly size: number
  list(): WorldDescription[]
  /**
   * Returns undefined when the name is in use. The world starts with the fixtures, as a fork, or in a recorded state.
   */
  create(plan: WorldPlan, past?: WorldPast): Promise<Ports | undefined>
  /** Live streams end. Gives whether there was one. */
  delete(name: string): Promise<boolean>
  /** Live streams end. */
  reset(name: string): Promise<Ports>
  /** Live streams end. `head` is the sequence before the first event; real time gives it otherwise. */
  restore(name: string, snapshot: Snapshot, head?: number): Promise<Ports>
  /** Costs about what a fork does until it is read. */
  copy(ports: Ports): Promise<WorldCopy>
  /**
   * Calls the listener for every existing world, and for each that is created, reset or restored before it is returned,
   * with its previous ports in the latter cases. State of a world is kept by its ports and is dropped with them.
   */
  onOpen(listener: WorldListener): void
}

/** Later changes of the world do not reach the copy. */
export interface WorldCopy {
  /** The order is that of the keys. */
  read(name: CollectionName): Promise<readonly StoredRecord[]>
  blobs: ReadonlyMap<string, Uint8Array>
}

export interface WorldPast {
  copy: WorldCopy
  changes: RecordChanges
  seed: string
  /** Milliseconds since the epoch. */
  now: number
  faults: readonly Fault[]
  /** The sequence before the first event. */
  head: number
  /** Images that came since then, by their digests. */
  blobs: ReadonlyMap<string, Uint8Array>
}

export type Records = Readonly<Record<string, readonly StoredRecord[]>>

/** Worlds of two programs with equal fixtures begin with the same records. */
export interface KnownFixtures {
  name: string
  sha256(): Promise<string>
  /** `start` is in milliseconds since the epoch. */
  read(name: CollectionName, start: number): Promise<readonly StoredRecord[]>
  /** Most dates of the records agree on the start of their world. */
  findStart(records: Records): Promise<number | undefined>
}

export type WorldListener = (ports: Ports, before?: Ports) => void | Promise<void>

/** A draft whose world has a name, and whose times are milliseconds since the epoch. */
export interface WorldPlan extends Omit<WorldDraft, 'name' | 'at' | 'now' | 'profile' | 'variation'> {
  name: string
  /** The new world starts after this step of the other's recording. */
  at?: number | undefined
  now?: number | undefined
  variation?: Variation | undefined
  /** Null makes the world plain. */
  profile?: VendorProfile | null | undefined
}

export interface WorldDescription extends Omit<WorldPlan, 'profile'> {
  profile?: string | undefined
  /** Real time in milliseconds since the epoch. */
  createdAt: number
}
