import type { CollectionName } from './collections.ts'
import type { Fault } from './control/fault.ts'

// A snapshot is a file in JSON Lines format: a header, one line for each fault, record and image, and `{"end":true}`.

/** Increment it with every change that makes older snapshots invalid. */
export const SNAPSHOT_VERSION = 2
export const SNAPSHOT_TYPE = 'application/x-ndjson'
export const LARGEST_SNAPSHOT = 256 * 1024 * 1024
/** Maximum length of a line in bytes. A line is parsed in one event-loop tick. */
export const LONGEST_LINE = 16 * 1024 * 1024
export const MAX_FAULTS = 1000

export type StoredRecord = Readonly<Record<string, unknown>>

export interface Snapshot {
  readonly schemaVersion: number
  readonly seed?: string | undefined
  /** A running clock is stored as its offset, so that worlds with the same content have the same snapshot. */
  readonly clock: { offsetMs: number } | { frozenAt: string }
  readonly faults: readonly Fault[]
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>
  readonly blobs: ReadonlyMap<string, string>
}

export interface SnapshotLine {
  at: string
  value?: unknown
  wrong?: string
}

/** Images are encoded one at a time to save memory. */
export interface WritableSnapshot extends Omit<Snapshot, 'blobs'> {
  readonly blobs: Iterable<readonly [digest: string, image: string]>
}

/** Sorts keys and collections, so that worlds with the same content have the same snapshot. */
export function* writeSnapshot(snapshot: WritableSnapshot): Generator<string> {
  for (const { value } of toSnapshotLines(snapshot)) {
    yield `${JSON.stringify(value, (_name, each: unknown) => (isObject(each) ? sortObject(each) : each))}\n`
  }
}

/** Also accepts the snapshot in a case header, which is not validated. */
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
