import type { Variation } from '../../contract/records/control/variation.ts'
import type { CollectionName } from '../../contract/records/collections.ts'
import type { Fault } from '../../contract/records/control/fault.ts'
import type { Snapshot, StoredRecord } from '../../contract/records/snapshot.ts'
import type { VendorProfile } from '../../contract/records/control/vendor-profile.ts'
import type { Ports } from '../ports.ts'
import type { Peers } from './peers.ts'
import type { RecordChanges } from './store.ts'

/** Each world has its own records, clock, ids, faults, journal, outbox and streams. */
export interface Worlds {
  /** Nothing where worlds begin with somebody's own fixtures. */
  readonly fixtures?: KnownFixtures | undefined
  readonly peers: Peers
  find(name: string): Ports | undefined
  /** The same, once it is sure that no other instance has made it just now. */
  look(name: string): Promise<Ports | undefined>
  list(): WorldDescription[]
  /**
   * Nothing when the name is in use. It starts with the fixtures, as the world that it is forked from, or as a world
   * once stood.
   */
  create(plan: WorldPlan, past?: WorldPast): Promise<Ports | undefined>
  /** Whether there was one; its streams end. */
  delete(name: string): Promise<boolean>
  /** As it was at its start; live streams end. */
  reset(name: string): Promise<Ports>
  /** As the snapshot says; live streams end. `head`: the sequence before its first event, else as of real time. */
  restore(name: string, snapshot: Snapshot, head?: number): Promise<Ports>
  /** The world of these ports as it is now: it costs about what a fork does, until it is read. */
  copy(ports: Ports): Promise<WorldCopy>
  /**
   * Tells of every world that there is, and of each that is opened, before it is given: created, reset or restored. Of
   * the latter two with what it was before: what is kept of a world is kept by its ports, and so goes with it.
   */
  onOpen(listener: WorldListener): void
}

/** A world as it was at one moment, whatever has become of it since. */
export interface WorldCopy {
  /** In the order of their keys. */
  read(name: CollectionName): Promise<readonly StoredRecord[]>
  blobs: ReadonlyMap<string, Uint8Array>
}

export interface WorldPast {
  copy: WorldCopy
  changes: RecordChanges
  seed: string
  /** Where its clock stood, in milliseconds since the epoch. */
  now: number
  faults: readonly Fault[]
  /** Sequence of the event before its first one. */
  head: number
  /** Images that came since then, by their digests. */
  blobs: ReadonlyMap<string, Uint8Array>
}

export type Records = Readonly<Record<string, readonly StoredRecord[]>>

/** Fixtures that the program brings: where they are the same, worlds begin with the same records. */
export interface KnownFixtures {
  name: string
  sha256(): Promise<string>
  /** In a world that starts then, in milliseconds since the epoch. */
  read(name: CollectionName, start: number): Promise<readonly StoredRecord[]>
  /** When a world started that holds these records, as most of their dates tell it. */
  findStart(records: Records): number | undefined
}

export type WorldListener = (ports: Ports, before?: Ports) => void | Promise<void>

export interface WorldPlan {
  name: string
  from?: string | undefined
  /** The step of that one's recording behind which it begins. */
  at?: number | undefined
  /** Makes every id and token a function of this text and of the calls; without it they are random. */
  seed?: string | undefined
  /** Where its clock starts, in milliseconds since the epoch; real time without it. */
  now?: number | undefined
  /** Whether its clock stands at first. */
  frozen?: boolean | undefined
  /** Seconds of real time after which it is deleted. */
  expiresIn?: number | undefined
  /** `retry:` of its streams; STREAM_RETRY_MS without it. */
  streamRetryMs?: number | undefined
  variation?: Variation | undefined
  /** Its choices where the documents are silent; null: ours alone. */
  profile?: VendorProfile | null | undefined
}

export interface WorldDescription extends Omit<WorldPlan, 'profile'> {
  profile?: string | undefined
  /** Milliseconds since the epoch, in real time. */
  createdAt: number
}
