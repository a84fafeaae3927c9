import type { CollectionName } from './collections.ts'
import type { Fault } from './control/fault.ts'

// A snapshot is a file of JSON Lines: a header, one line for each fault, record and image, and `{"end":true}`.

/** A change that an older snapshot would not survive raises this version. Other versions are rejected. */
export const SNAPSHOT_VERSION = 2
export const SNAPSHOT_TYPE = 'application/x-ndjson'
/** Bytes of a whole snapshot. Images make it large. */
export const LARGEST_SNAPSHOT = 256 * 1024 * 1024
/** Bytes of one line. It is parsed in one event-loop tick. */
export const LONGEST_LINE = 16 * 1024 * 1024
export const MAX_FAULTS = 1000

export type StoredRecord = Readonly<Record<string, unknown>>

/** The journal and live streams are left out. */
export interface Snapshot {
  readonly schemaVersion: number
  readonly seed?: string | undefined
  /** A running clock is kept by its distance from real time, so a world at rest always gives the same bytes. */
  readonly clock: { offsetMs: number } | { frozenAt: string }
  readonly faults: readonly Fault[]
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>
  /** Images in base64, by their SHA-256. */
  readonly blobs: ReadonlyMap<string, string>
}

export interface SnapshotLine {
  /** Where the line is, for messages: `line 12`. */
  at: string
  value?: unknown
  /** Why the line has no value. */
  wrong?: string
}

/** Images may be encoded as they are written, since all of them at once would fill the memory. */
export interface WritableSnapshot extends Omit<Snapshot, 'blobs'> {
  readonly blobs: Iterable<readonly [digest: string, image: string]>
}

/** Keys and collections are ordered, so equal worlds give equal bytes and a change shows as its lines. */
export function* writeSnapshot(snapshot: WritableSnapshot): Generator<string> {
  for (const { value } of toSnapshotLines(snapshot)) {
    yield `${JSON.stringify(value, (_name, each: unknown) => (isObject(each) ? sortObject(each) : each))}\n`
  }
}

/** The header of a case holds a snapshot as one object, of which nothing is checked yet. */
export function* toSnapshotLines(given: WritableSnapshot | Readonly<Record<string, unknown>>): Generator<SnapshotLine> {
  const { faults, records, blobs, ...header } = given
  yield { at: 'the header', value: header }
  for (const [i, fault] of toList(faults).entries()) yield { at: `faults[${i}]`, value: { fault } }
  for (const [collection, list] of Object.entries(sortObject(Object(records)))) {
    for (const [i, record] of toList(list).entries()) {
      yield { at: `records.${collection}[${i}]`, value: { collection, record } }
    }
  }
  const isList = Symbol.iterator in Object(blobs)
  const images = isList ? (blobs as WritableSnapshot['blobs']) : Object.entries(Object(blobs))
  for (const [digest, image] of images) yield { at: `blobs.${digest.slice(0, 100)}`, value: { digest, image } }
  yield { at: 'the end', value: { end: true } }
}

/** A running clock runs on while nobody looks; a frozen one stays. */
export function toClockPlace({ now, frozen, offsetMs }: { now: number; frozen: boolean; offsetMs: number }) {
  return frozen ? { frozenAt: new Date(now).toISOString() } : { offsetMs }
}

export function recordsOf({ records }: Snapshot, name: CollectionName): readonly StoredRecord[] {
  return records[name] ?? []
}

const toList = (given: unknown): readonly unknown[] => (given === undefined ? [] : [given].flat())

function sortObject(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
