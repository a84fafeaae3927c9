import type { Message } from '../ports/bus.ts'
import type { Outbox, Query, Transaction, View, Where } from '../ports/store.ts'
import { type Collection, type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'

/** Engines know no type of record. */
export type Stored = Readonly<Record<string, unknown>>

/** A function gives the records when the collection is first asked for. */
export type WorldRecords = ReadonlyMap<CollectionName, RecordSource>
export type RecordSource = Iterable<Stored> | (() => Iterable<Stored>)

/** Records that are still to be made are made one by one. */
export function recordsOf(source: RecordSource = []): Iterable<Stored> {
  return typeof source === 'function' ? source() : source
}

/** Only for collections of few records: larger ones are read by `yielding()`. */
export function readSource(source?: RecordSource): readonly Stored[] {
  return Array.from(recordsOf(source))
}

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

/** A path such as `appointment.date` is a field of a field. */
export function readField(record: Stored, field: string): unknown {
  const dot = field.indexOf('.')
  if (dot < 0) return record[field]
  return (record[field.slice(0, dot)] as Stored | undefined)?.[field.slice(dot + 1)]
}

export function isUpTo(record: Stored, field: string, most: string | undefined): boolean {
  if (most === undefined) return true
  const value = readField(record, field)
  return value !== undefined && compareValues(value, most) <= 0
}

/** Absent values come first; the values of one field have one type. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined || a === null) return -1
  if (b === undefined || b === null) return 1
  return (a as string) < (b as string) ? -1 : 1
}

/** Values are extracted once, because that costs more than the comparison. Equal values are sorted by key. */
export function sorted(records: readonly Stored[], field: string, key: string, direction: 'asc' | 'desc'): Stored[] {
  const sign = direction === 'desc' ? -1 : 1
  return records
    .map((record) => ({ value: readField(record, field), key: record[key], record }))
    .sort((a, b) => sign * (compareValues(a.value, b.value) || compareValues(a.key, b.key)))
    .map(({ record }) => record)
}

export interface StoredReader {
  get(key: string): Promise<Stored | undefined>
  find(query?: Query<CollectionName>): Promise<Stored[]>
  count(where?: Where<CollectionName>): Promise<number>
}

export interface StoredWriter extends StoredReader {
  put(record: Stored): Promise<void>
  delete(key: string): Promise<boolean>
}

export function toView(make: (name: CollectionName) => StoredReader): View {
  const readers = new Map(collectionNames.map((name) => [name, make(name)]))
  const collection = (name: CollectionName) => readers.get(name)
  return Object.assign(Object.create(null), Object.fromEntries(readers), { collection })
}

/** Writers are made on demand, since a transaction touches two or three collections. */
export function toTransaction(
  make: (name: CollectionName) => StoredWriter,
  { emit, afterCommit }: Outbox,
): Transaction {
  const writers = new Map<CollectionName, StoredWriter>()
  const collection = (name: CollectionName) => {
    const known = writers.get(name)
    if (known) return known
    const writer = make(name)
    writers.set(name, writer)
    return writer
  }
  return Object.assign(Object.create(properties), { collection, emit, afterCommit })
}

/** Work that a transaction leaves for after its commit. */
export class PendingOutbox implements Outbox {
  readonly messages: Message[] = []
  readonly hooks: (() => void)[] = []
  readonly emit = (message: Message) => void this.messages.push(message)
  readonly afterCommit = (run: () => void) => void this.hooks.push(run)
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
