import type { Blobs } from '../ports/blobs.ts'
import type { RecordChanges, Store } from '../ports/store.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import type { CollectionName } from '../../contract/records/collections.ts'
import type { Snapshot } from '../../contract/records/snapshot.ts'
import type { EventHistory } from './event-history.ts'
import type { Stored, WorldRecords } from './record.ts'

export interface WorldRecord {
  /** Told by the engine: another one when the world is reset or restored. */
  id?: string
  plan: WorldPlan
  /** The seed that its ids are a function of now; a restored snapshot has its own. */
  seed: string | undefined
  /** Milliseconds since the epoch, in real time. */
  createdAt: number
  clock: Snapshot['clock']
  /** Of a fork: the name of the record that keeps what it began with. */
  origin?: string | undefined
  /** Counts the moves of its clock that were kept, where several instances may move it. */
  clockMoves?: number
}

export interface WorldContent {
  records: WorldRecords
  blobs: readonly (readonly [digest: string, bytes: Uint8Array])[]
  /** The difference from records that a world has shared: an engine may keep that alone. */
  since?: { records: WorldRecords; changes: RecordChanges } | undefined
  /** The base of all records of the collections that it names: an engine may keep it once for many worlds. */
  pattern?: Pattern | undefined
  /** The start of the world, in milliseconds since the epoch, by which the dates of the pattern are told. */
  patternAt?: number | undefined
  /** Its events are numbered from the microseconds of this instant. */
  eventsFrom?: number | undefined
}

/** Records that tell their dates as distances from a world's start. */
export interface Pattern {
  names: readonly CollectionName[]
  read(name: CollectionName): { records: readonly Stored[]; isDated: boolean }
}

export interface OpenPattern {
  recordsAt(at: number): WorldRecords
  /** The same as they were written, for a schema that has changed since. */
  uncheckedAt(at: number): WorldRecords
  hasAt(at: number, name: CollectionName, key: string): boolean
}

export interface StoredClock {
  clock: Snapshot['clock']
  moves: number
}

export interface WorldStorage {
  id: string
  /** `close` lets go of the world. */
  store: Store
  blobs: Blobs
  /** Its recent events, where nothing else keeps them. */
  events: EventHistory
  /** Keeps a move of the clock. Where another instance has made one that `moves` does not count, it gives that. */
  saveClock(clock: Snapshot['clock'], moves: number): Promise<StoredClock | undefined>
  /** Its records as they are now, for a world that is to begin with them; where there is none they are read. */
  share?(): WorldRecords
  /** Ends it and forgets what it kept; a world of the same name that was made since stays. */
  discard(): Promise<void>
}

export interface Engine {
  list(): WorldRecord[] | Promise<WorldRecord[]>
  /** Opens a world that is listed; with `id` that very one, and not one that has come in its place. */
  open(name: string, id?: string): Promise<WorldStorage>
  /**
   * Keeps a new world, whole or not at all. With `replace` it takes the place of the one of its name that was made
   * when its record says (a reset keeps that), and nothing comes of it when that is gone; without it, nothing does
   * when there is one of its name.
   */
  create(record: WorldRecord, content: WorldContent, how?: { replace: boolean }): Promise<WorldStorage | undefined>
  close(): Promise<void>
}
