import type { Message } from '../ports/bus.ts'
import type { Outbox, Query, Transaction, View, Where } from '../ports/store.ts'
import { type Collection, type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'

export type Stored = Readonly<Record<string, unknown>>

/** If the source of a collection is a function, the function generates the records on first access. */
export type WorldRecords = ReadonlyMap<CollectionName, RecordSource>
export type RecordSource = Iterable<Stored> | (() => Iterable<Stored>)

export function recordsOf(source: RecordSource = []): Iterable<Stored> {
  return typeof source === 'function' ? source() : source
}

/** Only for small collections. Large collections are read with `yielding()`. */
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

/** `field` may be a path such as `appointment.date`. */
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

/** Absent values are sorted first. All values of a field have the same type. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined || a === null) return -1
  if (b === undefined || b === null) return 1
  return (a as string) < (b as string) ? -1 : 1
}

/** Reads each value once, because reading takes longer than comparing. */
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
