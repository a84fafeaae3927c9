import type { Blobs } from '../ports/blobs.ts'
import type { Bus } from '../ports/bus.ts'
import type { Digests } from '../ports/chance.ts'
import type { RecordChanges, Store } from '../ports/store.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import { type Snapshot, SNAPSHOT_VERSION } from '#contract/records/snapshot.ts'
import type { Stored, WorldRecords } from './record.ts'

export interface WorldRecord {
  /** Assigned by the engine. A world gets a new ID when it is reset or restored. */
  id?: string
  plan: WorldPlan
  seed: string | undefined
  /** Name of the fixtures at creation or at the last reset. Absent if the world was restored, or is a fork. */
  fixtures?: string | undefined
  /** Time at which the world was created: real time in milliseconds since the epoch. */
  createdAt: number
  clock: Snapshot['clock']
  /** Only for forks: identifies the record that contains the initial state of the fork. */
  origin?: string | undefined
  /** Number of stored clock moves. Present only if several instances may move the clock. */
  clockMoves?: number
}

export interface WorldContent {
  records: WorldRecords
  blobs: readonly (readonly [digest: string, bytes: Uint8Array])[]
  /** Changes to records that another world shared. An engine may store only these. */
  since?: { records: WorldRecords; changes: RecordChanges } | undefined
  /** The fixtures that the world starts with. An engine may store them once for many worlds. */
  pattern?: Pattern | undefined
  /** The dates in the pattern are relative to this timestamp, in milliseconds since the epoch. */
  patternAt?: number | undefined
  /** In milliseconds since the epoch. As microseconds, the number before the world's first event. Default: 0. */
  eventsFrom?: number | undefined
}

/** Initial records with dates relative to the start of a world, so that all worlds can share them. */
export interface Pattern {
  names: readonly CollectionName[]
  read(name: CollectionName): { records: readonly Stored[]; isDated: boolean }
}

export interface OpenPattern {
  recordsAt(at: number): WorldRecords
  hasAt(at: number, name: CollectionName, key: string): boolean
}

export interface StoredClock {
  clock: Snapshot['clock']
  moves: number
}

export interface WorldStorage {
  id: string
  /** Calling `close` on the store releases the world without deleting it. */
  store: Store
  blobs: Blobs
  bus: Bus
  /** If another instance has moved the clock since `moves`, returns that clock and stores nothing. */
  saveClock(clock: Snapshot['clock'], moves: number): Promise<StoredClock | undefined>
  /** Returns the current records for another world. If absent, the records are read from the store. */
  share?(): WorldRecords
  /** Does not delete a later world with the same name. */
  discard(): Promise<void>
}

export interface Engine {
  others?: {
    /** Resolves when the other instances have applied this instance's changes, or after a time limit. */
    settled(): Promise<void>
    /** The listener is called after changes by other instances. It must resolve after applying the changes. */
    subscribe(listener: () => Promise<void>): Promise<void>
  }
  list(): WorldRecord[] | Promise<WorldRecord[]>
  /** If `id` is set, opens only the world with this ID and not a later one with the same name. */
  open(name: string, id?: string): Promise<WorldStorage>
  /** Returns undefined if the name is in use or, with `replace`, if the world with this `createdAt` does not exist. */
  create(record: WorldRecord, content: WorldContent, how?: { replace: boolean }): Promise<WorldStorage | undefined>
  close(): Promise<void>
}

/** Sequence numbers start at the microseconds of a timestamp, so that no number is used twice. */
export function toFirstSequence(eventsFrom = 0): number {
  return Math.round(eventsFrom * 1000)
}

/** The same in every process. An engine stores equal records once, and a case refers to them by the digest. */
export async function digestOf({ names, read }: Pattern, { sha256 }: Pick<Digests, 'sha256'>): Promise<string> {
  let digest = String(SNAPSHOT_VERSION)
  for (const name of names) {
    digest = sha256(`${digest} ${name}`)
    for await (const record of yielding(read(name).records)) digest = sha256(`${digest}${JSON.stringify(record)}`)
  }
  return digest
}
