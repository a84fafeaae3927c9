import { type Collection, type CollectionName, collections } from '../../schemas/collections.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { MemoryTable } from './table.ts'
import type { Stored } from './sorted-records.ts'

/**
 * What a store starts from: a table that many stores share, each copying it before it first writes to it, or a
 * function that makes the store's own when it is first asked for.
 */
export type InitialTables = ReadonlyMap<CollectionName, MemoryTable | (() => MemoryTable)>
export const makeTable = (initial: MemoryTable | (() => MemoryTable) | undefined): MemoryTable | undefined =>
  typeof initial === 'function' ? initial() : initial

/** A transaction's pending writes by collection and key; `undefined` marks a deletion. */
export type Changes = Map<CollectionName, Map<string, Stored | undefined>>

/** The tables of one store. */
export class Tables {
  readonly #initial: Map<CollectionName, MemoryTable | (() => MemoryTable)>
  readonly #tables = new Map<CollectionName, MemoryTable>()
  readonly #shared = new Set<CollectionName>()

  constructor(initial: InitialTables = new Map()) {
    this.#initial = new Map(initial)
  }

  get(name: CollectionName): MemoryTable {
    return this.#tables.get(name) ?? this.#open(name)
  }

  /** The table for writing: a shared one is copied first. */
  own(name: CollectionName): MemoryTable {
    const table = this.get(name)
    if (!this.#shared.delete(name)) return table
    const copy = table.copy()
    this.#tables.set(name, copy)
    return copy
  }

  /** Throws when two records would have one value of a unique index; `pending` are changes that come before these. */
  assertUnique(changes: Changes, pending?: Changes): void {
    for (const [name, records] of changes) {
      const earlier = pending?.get(name)
      const all = earlier ? new Map([...earlier, ...records]) : records
      for (const [key, record] of records) if (record) this.get(name).assertUnique(key, record, all)
    }
  }

  apply(changes: Changes): void {
    for (const [name, records] of changes) {
      const table = this.own(name)
      for (const [key, record] of records) {
        if (record) table.set(key, record)
        else table.delete(key)
      }
    }
  }

  #open(name: CollectionName): MemoryTable {
    const initial = this.#initial.get(name)
    // What it holds of records that will be changed or deleted must not live as long as the store.
    this.#initial.delete(name)
    if (initial instanceof MemoryTable) this.#shared.add(name)
    const table = makeTable(initial) ?? new MemoryTable(collectionOf(name))
    this.#tables.set(name, table)
    return table
  }
}

/** Checked records as a table; they are frozen. */
export function toTable(name: CollectionName, records: readonly Stored[]): MemoryTable {
  return new MemoryTable(collectionOf(name), records.map(deepFreeze))
}

export function collectionOf(name: CollectionName): Collection {
  return collections[name] as unknown as Collection
}
