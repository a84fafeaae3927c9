import type { CollectionName } from '../../schemas/collections.ts'
import { collectionOf, readSource, type RecordSource, type Stored, type WorldRecords } from '../record.ts'
import { MemoryTable } from './table.ts'

/** A transaction's pending writes by collection and key; `undefined` marks a deletion. */
export type Changes = Map<CollectionName, Map<string, Stored | undefined>>

/**
 * The tables of one store; each is made when it is first asked for. One that other stores share is copied before it is
 * first written to.
 */
export class Tables {
  readonly #initial: Map<CollectionName, RecordSource>
  readonly #tables = new Map<CollectionName, MemoryTable>()
  readonly #shared = new Set<CollectionName>()

  constructor(initial: WorldRecords = new Map()) {
    this.#initial = new Map(initial)
  }

  get(name: CollectionName): MemoryTable {
    return this.#tables.get(name) ?? this.#open(name)
  }

  /** What another store may begin with: both have the same tables until one of them writes. */
  share(): WorldRecords {
    for (const name of this.#tables.keys()) this.#shared.add(name)
    return new Map([...this.#initial, ...this.#tables])
  }

  /** Throws when two records would have one value of a unique index; `pending` are changes that come before these. */
  async assertUnique(changes: Changes, pending?: Changes): Promise<void> {
    for (const [name, records] of changes) {
      const earlier = pending?.get(name)
      const all = earlier ? new Map([...earlier, ...records]) : records
      for (const [key, record] of records) if (record) await this.get(name).assertUnique(key, record, all)
    }
  }

  apply(changes: Changes): void {
    for (const [name, records] of changes) {
      const table = this.#own(name)
      for (const [key, record] of records) {
        if (record) table.set(key, record)
        else table.delete(key)
      }
    }
  }

  #own(name: CollectionName): MemoryTable {
    const table = this.get(name)
    if (!this.#shared.delete(name)) return table
    const copy = table.copy()
    this.#tables.set(name, copy)
    return copy
  }

  #open(name: CollectionName): MemoryTable {
    const source = this.#initial.get(name)
    if (source instanceof MemoryTable) this.#shared.add(name)
    const table = source instanceof MemoryTable ? source : new MemoryTable(collectionOf(name), readSource(source))
    // What it holds of records that will be changed or deleted must not live as long as the store.
    this.#initial.delete(name)
    this.#tables.set(name, table)
    return table
  }
}
