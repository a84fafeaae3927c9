import type { CollectionName, FieldOf, RecordOf } from '../../contract/records/collections.ts'
import type { StoredRecord } from '../../contract/records/snapshot.ts'

export type Store = View & {
  /**
   * All or nothing, serialisable. `work` may run more than once, so it touches nothing but `tx`;
   * what must happen once happens after it. Does not nest.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Resolves when the engine answers; readiness asks it. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `collection(name)` is for those to whom all collections are alike. */
export type View = { readonly [N in CollectionName]: Reader<N> } & {
  collection<N extends CollectionName>(name: N): Reader<N>
}
export type Transaction = { readonly [N in CollectionName]: Writer<N> } & {
  collection<N extends CollectionName>(name: N): Writer<N>
}

export interface Reader<N extends CollectionName> {
  get(key: string): Promise<RecordOf<N> | undefined>
  find(query?: Query<N>): Promise<RecordOf<N>[]>
  /** How many records `find` would give without offset and limit. */
  count(where?: Where<N>, asOf?: number): Promise<number>
}

export interface Writer<N extends CollectionName> extends Reader<N> {
  /** Checks the record against its schema, freezes it, and puts it in the place of the one with its key. */
  put(record: RecordOf<N>): Promise<void>
  delete(key: string): Promise<boolean>
}

/** Records by collection and key that came after something; `undefined` marks one that is gone. */
export type RecordChanges = ReadonlyMap<CollectionName, ReadonlyMap<string, StoredRecord | undefined>>

/** Equality on fields of the collection's key and indexes; an array means any of its values. */
export type Where<N extends CollectionName> = {
  readonly [F in FieldOf<N>]?: Scalar | readonly Scalar[] | undefined
}

export type Scalar = string | number | boolean

export interface Query<N extends CollectionName> {
  where?: Where<N>
  /** By key, ascending, unless said otherwise; equal values are ordered by key. */
  orderBy?: { field: string; direction: 'asc' | 'desc' }
  offset?: number
  limit?: number
  /**
   * In milliseconds since the epoch: a field of the collection that lapses is then looked at, and ordered by, as it is
   * at that instant. Without it, as the records say; the records that are given are always as they are kept.
   */
  asOf?: number
}
