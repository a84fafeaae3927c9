import type { CollectionName, FieldOf, RecordOf } from '#contract/records/collections.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import type { Message } from './bus.ts'

export type Store = View & {
  /** Serializable, not nested. `work` may run more than once, so it must have no effects except through `tx`. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Rejects if the engine does not respond. Used by the readiness check. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `collection(name)` is for code that treats all collections in the same way. */
export type View = { readonly [N in CollectionName]: Reader<N> } & {
  collection<N extends CollectionName>(name: N): Reader<N>
}
export type Transaction = { readonly [N in CollectionName]: Writer<N> } & {
  collection<N extends CollectionName>(name: N): Writer<N>
} & Outbox

export interface Outbox {
  /** Every instance receives the message after the commit. If the transaction fails, no instance receives it. */
  emit(message: Message): void
  /** `run` is called after the commit, before listeners receive the emitted messages. */
  afterCommit(run: () => void): void
}

export interface Reader<N extends CollectionName> {
  get(key: string): Promise<RecordOf<N> | undefined>
  find(query?: Query<N>): Promise<RecordOf<N>[]>
  count(where?: Where<N>): Promise<number>
}

export interface Writer<N extends CollectionName> extends Reader<N> {
  /** Validates the record with its schema, freezes it, and replaces the record with the same key. */
  put(record: RecordOf<N>): Promise<void>
  delete(key: string): Promise<boolean>
}

/** The value `undefined` marks a deleted record. */
export type RecordChanges = ReadonlyMap<CollectionName, ReadonlyMap<string, StoredRecord | undefined>>

/** Conditions on the key and on indexed fields. If a condition is a list, any value in the list matches. */
export type Where<N extends CollectionName> = {
  readonly [F in FieldOf<N>]?: Scalar | readonly Scalar[] | undefined
}

export type Scalar = string | number | boolean

export interface Query<N extends CollectionName> {
  where?: Where<N>
  /** By default, records are sorted by key. Records with equal values are also sorted by key. */
  orderBy?: { field: string; direction: 'asc' | 'desc' }
  /** Excludes absent or greater `orderBy` fields. Requires an index that has this order. */
  upTo?: string
  offset?: number
  limit?: number
}
