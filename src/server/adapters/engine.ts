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
  /** The engine gives a new id when the world is reset or restored. */
  id?: string
  plan: WorldPlan
  /** A restored snapshot brings its own seed. */
  seed: string | undefined
  /** Real time in milliseconds since the epoch. */
  createdAt: number
  clock: Snapshot['clock']
  /** A fork names the record that keeps what it began with. */
  origin?: string | undefined
  /** Where several instances may move the clock, its kept moves are counted. */
  clockMoves?: number
}

export interface WorldContent {
  records: WorldRecords
  blobs: readonly (readonly [digest: string, bytes: Uint8Array])[]
  /** An engine may keep only the difference from records that a world has shared. */
  since?: { records: WorldRecords; changes: RecordChanges } | undefined
  /** An engine may keep these records once for many worlds. */
  pattern?: Pattern | undefined
  /** Dates of the pattern count from this instant, in milliseconds since the epoch. */
  patternAt?: number | undefined
  /** Events are numbered from the microseconds of this time, in milliseconds since the epoch (default: 0). */
  eventsFrom?: number | undefined
}

/** Dates are stored relative to the start of a world, so that all worlds can share the records. */
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
  /** `close` releases the world without deleting it. */
  store: Store
  blobs: Blobs
  /** Carries what committed transactions of `store` emit. */
  bus: Bus
  /** Gives the clock of another instance where that made a move which `moves` does not count. */
  saveClock(clock: Snapshot['clock'], moves: number): Promise<StoredClock | undefined>
  /** A world may begin with its present records; without this function they are read. */
  share?(): WorldRecords
  /** The world ends and its data is forgotten; a later world of the same name stays. */
  discard(): Promise<void>
}

export interface Engine {
  /** Instances that share the engine. */
  others?: {
    /** Resolves when the other instances follow the changes of this one, or have had time enough. */
    settled(): Promise<void>
    /** The listener runs after changes of other instances, until it resolves. */
    subscribe(listener: () => Promise<void>): Promise<void>
  }
  list(): WorldRecord[] | Promise<WorldRecord[]>
  /** With `id` only that very world is opened, and not a later one of its name. */
  open(name: string, id?: string): Promise<WorldStorage>
  /**
   * Keeps a new world, whole or not at all. With `replace` it takes the place of the one of its name that was made
   * when its record says (a reset keeps that), and nothing comes of it when that is gone; without it, nothing does
   * when there is one of its name.
   */
  create(record: WorldRecord, content: WorldContent, how?: { replace: boolean }): Promise<WorldStorage | undefined>
  close(): Promise<void>
}

/** Sequences begin with the microseconds of a time, so that none is given twice. */
export function toFirstSequence(eventsFrom = 0): number {
  return Math.round(eventsFrom * 1000)
}

/** Equal records give equal digests in any process: an engine keeps them once, and a case names them. */
export async function digestOf({ names, read }: Pattern, { sha256 }: Pick<Digests, 'sha256'>): Promise<string> {
  let digest = String(SNAPSHOT_VERSION)
  for (const name of names) {
    digest = sha256(`${digest} ${name}`)
    for await (const record of yielding(read(name).records)) digest = sha256(`${digest}${JSON.stringify(record)}`)
  }
  return digest
}
