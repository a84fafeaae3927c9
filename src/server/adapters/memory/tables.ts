import type { CollectionName } from '#contract/records/collections.ts'
import { forEachYielding, once } from '#server/ports/yielding.ts'
import { collectionOf, type RecordSource, recordsOf, type Stored, type WorldRecords } from '../record.ts'
import { MemoryTable } from './table.ts'

/** The value `undefined` marks a deleted record. */
export type Changes = Map<CollectionName, Map<string, Stored | undefined>>

/** Created on first access. A table that several stores share is copied before the first write. */
export class Tables {
  readonly #initial = new Map<CollectionName, RecordSource>()
  readonly #opening = new Map<CollectionName, Promise<MemoryTable>>()
  readonly #tables = new Map<CollectionName, MemoryTable>()
  readonly #shared = new Set<CollectionName>()
  #isForked = false

  constructor(initial: WorldRecords = new Map()) {
    for (const [name, source] of initial) {
      if (source instanceof MemoryTable) {
        this.#tables.set(name, source)
        this.#shared.add(name)
      } else this.#initial.set(name, source)
    }
  }

  get(name: CollectionName): MemoryTable | undefined {
    return this.#tables.get(name)
  }

  async open(name: CollectionName): Promise<MemoryTable> {
    const open = this.#tables.get(name)
    if (open) return open
    const opening = this.#opening.get(name) ?? this.#fill(name)
    this.#opening.set(name, opening)
    return opening.finally(() => this.#opening.delete(name))
  }

  /** Includes records that are not loaded yet. The stores share the tables until one of them writes. */
  share(): WorldRecords {
    if (!this.#isForked) {
      for (const [name, source] of this.#initial) {
        if (typeof source === 'function') this.#initial.set(name, once(source))
      }
      this.#isForked = true
    }
    for (const name of this.#tables.keys()) this.#shared.add(name)
    return new Map([...this.#initial, ...this.#tables])
  }

  async assertUnique(changes: Changes, pending: Changes = new Map()): Promise<void> {
    for (const [name, records] of changes) {
      const all = new Map([...(pending.get(name) ?? []), ...records])
      for (const [key, record] of records) if (record) await (await this.open(name)).assertUnique(key, record, all)
    }
  }

  /** The tables are already open, because deleted records were read and all other changed records were checked. */
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
    const table = this.#tables.get(name)!
    if (!this.#shared.delete(name)) return table
    const copy = table.copy()
    this.#tables.set(name, copy)
    return copy
  }

  async #fill(name: CollectionName): Promise<MemoryTable> {
    const source = this.#initial.get(name) ?? []
    const table = new MemoryTable(collectionOf(name))
    await forEachYielding(recordsOf(source), (record) => table.add(record))
    // Releases the initial records. Otherwise, changed and deleted records would stay in memory as long as the store.
    this.#initial.delete(name)
    this.#tables.set(name, table)
    return table
  }
}
