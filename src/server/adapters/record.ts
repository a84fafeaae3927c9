import type { Query, Transaction, View, Where } from '../ports/store.ts'
import {
  type Collection,
  type CollectionName,
  collectionNames,
  collections,
} from '../../contract/records/collections.ts'

/** A record as the engines see it, whatever collection it is of. */
export type Stored = Readonly<Record<string, unknown>>

/** The records a world begins with, or what gives them when a collection is first asked for. */
export type WorldRecords = ReadonlyMap<CollectionName, RecordSource>
export type RecordSource = Iterable<Stored> | (() => Iterable<Stored>)

/** The records; where they are still to be made, each is as it is taken. */
export function recordsOf(source: RecordSource = []): Iterable<Stored> {
  return typeof source === 'function' ? source() : source
}

/** All of them at once: a collection of which there may be many is taken in turns. */
export function readSource(source?: RecordSource): readonly Stored[] {
  return Array.from(recordsOf(source))
}

/** The same declaration as `collections` has, without the types of one collection. */
export function collectionOf(name: CollectionName): Collection {
  return collections[name]
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}

/** Absent values come first; the values of one field are of one type. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined || a === null) return -1
  if (b === undefined || b === null) return 1
  return (a as string) < (b as string) ? -1 : 1
}

/** In the order of a field, equal values by key. Values are taken out once: that costs more than comparing them. */
export function sorted(records: readonly Stored[], field: string, key: string, direction: 'asc' | 'desc'): Stored[] {
  const sign = direction === 'desc' ? -1 : 1
  return records
    .map((record) => ({ value: record[field], key: record[key], record }))
    .sort((a, b) => sign * (compareValues(a.value, b.value) || compareValues(a.key, b.key)))
    .map(({ record }) => record)
}

/** A record as queries see it at an instant: with what its field that lapses has become, if it has. */
export function lapsed(record: Stored, { lapse }: Collection, asOf: number | undefined): Stored {
  const at = asOf === undefined ? undefined : lapse?.at(record)
  return at === undefined || at > asOf! ? record : { ...record, [lapse!.field]: lapse!.becomes }
}

export interface StoredReader {
  get(key: string): Promise<Stored | undefined>
  find(query?: Query<CollectionName>): Promise<Stored[]>
  count(where?: Where<CollectionName>, asOf?: number): Promise<number>
}

export interface StoredWriter extends StoredReader {
  put(record: Stored): Promise<void>
  delete(key: string): Promise<boolean>
}

/** The products of `make` for each collection, by name and as a typed property. */
export function toView(make: (name: CollectionName) => StoredReader): View {
  const readers = new Map(collectionNames.map((name) => [name, make(name)]))
  const collection = (name: CollectionName) => readers.get(name)
  return Object.assign(Object.create(null), Object.fromEntries(readers), { collection })
}

/** The same, made when asked for: a transaction touches two or three collections of all. */
export function toTransaction(make: (name: CollectionName) => StoredWriter): Transaction {
  const writers = new Map<CollectionName, StoredWriter>()
  const collection = (name: CollectionName) => {
    const known = writers.get(name)
    if (known) return known
    const writer = make(name)
    writers.set(name, writer)
    return writer
  }
  return Object.create(properties, { collection: { value: collection } })
}

const properties = Object.defineProperties(
  {},
  Object.fromEntries(
    collectionNames.map((name) => [
      name,
      {
        get(this: Transaction) {
          return this.collection(name)
        },
      },
    ]),
  ),
)
