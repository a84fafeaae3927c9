import type { CollectionName, FieldOf, RecordOf } from '#contract/records/collections.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import type { Message } from './bus.ts'

export type Store = View & {
  /**
   * Transactions are serialisable and do not nest. `work` may run more than once, so it touches nothing but `tx`; what
   * must happen once happens after it.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Rejects while the engine does not answer; readiness asks it. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `collection(name)` is for code that treats all collections alike. */
export type View = { readonly [N in CollectionName]: Reader<N> } & {
  collection<N extends CollectionName>(name: N): Reader<N>
}
export type Transaction = { readonly [N in CollectionName]: Writer<N> } & {
  collection<N extends CollectionName>(name: N): Writer<N>
} & Outbox

export interface Outbox {
  /** Every instance gets the message after the commit, and none when the transaction fails. */
  emit(message: Message): void
  /** Runs after the commit, before listeners hear what the transaction emitted. */
  afterCommit(run: () => void): void
}

export interface Reader<N extends CollectionName> {
  get(key: string): Promise<RecordOf<N> | undefined>
  find(query?: Query<N>): Promise<RecordOf<N>[]>
  /** Counts what `find` would give without offset and limit. */
  count(where?: Where<N>): Promise<number>
}

export interface Writer<N extends CollectionName> extends Reader<N> {
  /** The schema checks the record, which is frozen and replaces the one with its key. */
  put(record: RecordOf<N>): Promise<void>
  delete(key: string): Promise<boolean>
}

/** `undefined` marks a deleted record. */
export type RecordChanges = ReadonlyMap<CollectionName, ReadonlyMap<string, StoredRecord | undefined>>

/** Only the key and fields of indexes may be named; a list means any of its values. */
export type Where<N extends CollectionName> = {
  readonly [F in FieldOf<N>]?: Scalar | readonly Scalar[] | undefined
}

export type Scalar = string | number | boolean

export interface Query<N extends CollectionName> {
  where?: Where<N>
  /** Default: ordered by key. Equal values are ordered by key. */
  orderBy?: { field: string; direction: 'asc' | 'desc' }
  /** Excludes records whose `orderBy` field is absent or greater. An index must have this order. */
  upTo?: string
  offset?: number
  limit?: number
}
