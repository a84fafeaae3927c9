import type { Scalar } from '#server/ports/store.ts'
import { forEachYielding } from '#server/ports/yielding.ts'
import type { IndexDeclaration } from '#contract/records/collections.ts'
import { sorted, type Stored } from '../record.ts'
import type { KeyedRecords } from './keyed-records.ts'
import { SortedRecords } from './sorted-records.ts'

export type Conditions = ReadonlyMap<string, readonly Scalar[]>

/** One group per combination of `on` values, with a sorted list for each `orderBy` field. */
export class MemoryIndex {
  readonly declaration: IndexDeclaration
  readonly orders: readonly string[]
  readonly #key: string
  readonly #records: KeyedRecords
  readonly #groups = new Map<string, IndexGroup>()
  #filled: Promise<void> | undefined

  constructor(declaration: IndexDeclaration, key: string, records: KeyedRecords) {
    this.declaration = declaration
    this.orders = declaration.orderBy ?? [key]
    this.#key = key
    this.#records = records
  }

  /** The conditions must include every field of the index. With `exactly`, they must not include any other field. */
  serves(conditions: Conditions, exactly: boolean): boolean {
    const { on } = this.declaration
    return on.every((field) => conditions.has(field)) && (!exactly || on.length === conditions.size)
  }

  async groups(conditions: Conditions): Promise<IndexGroup[]> {
    let names: string[][] = [[]]
    for (const each of this.declaration.on) {
      names = names.flatMap((name) => conditions.get(each)!.map((value) => [...name, String(value)]))
    }
    await this.#fill()
    return names.flatMap((name) => this.#groups.get(name.join('\u0000')) ?? [])
  }

  async lists(conditions: Conditions, field: string): Promise<SortedRecords[]> {
    const groups = await this.groups(conditions)
    return Promise.all(groups.map((group) => group.list(field)))
  }

  async count(conditions: Conditions): Promise<number> {
    return (await this.groups(conditions)).reduce((sum, { size }) => sum + size, 0)
  }

  /** Another record with the same values. A unique index must not have one. */
  async twinOf(record: Stored): Promise<Stored | undefined> {
    await this.#fill()
    const name = this.#nameOf(record)
    const [twin] = (name === undefined ? undefined : this.#groups.get(name))?.records() ?? []
    return twin
  }

  insert(record: Stored): void {
    if (this.#filled) this.#put(record)
  }

  remove(record: Stored): void {
    const name = this.#nameOf(record)
    const group = name === undefined ? undefined : this.#groups.get(name)
    group?.remove(record)
    if (group?.size === 0) this.#groups.delete(name!)
  }

  /** While the index is being filled, added records are inserted immediately and deleted records are skipped. */
  #fill(): Promise<void> {
    this.#filled ??= forEachYielding([...this.#records.values()], (record) => {
      if (this.#records.get(String(record[this.#key])) === record) this.#put(record)
    })
    return this.#filled
  }

  #put(record: Stored): void {
    const name = this.#nameOf(record)
    if (name === undefined) return
    const group = this.#groups.get(name)
    if (group) group.insert(record)
    else this.#groups.set(name, new IndexGroup(this.#key, record))
  }

  /** A record is not part of the index if one of the indexed fields has no value. */
  #nameOf(record: Stored): string | undefined {
    let name: string | undefined
    for (const field of this.declaration.on) {
      const value = record[field]
      if (value === undefined || value === null) return undefined
      name = name === undefined ? String(value) : `${name}\u0000${String(value)}`
    }
    return name ?? ''
  }
}

interface OpenList {
  list: SortedRecords
  filled: Promise<void>
}

/** Number of records that are sorted before yielding to the event loop, which takes about 20 ms. */
const BATCH = 16_384

/** Most groups of a unique index contain one record and need no lists, so these groups share this empty array. */
const NO_LISTS: readonly OpenList[] = []

class IndexGroup {
  readonly #key: string
  readonly #records: Set<Stored>
  #lists: readonly OpenList[] = NO_LISTS

  constructor(key: string, record: Stored) {
    this.#key = key
    this.#records = new Set([record])
  }

  get size(): number {
    return this.#records.size
  }

  /** The records are in no particular order. */
  records(): Iterable<Stored> {
    return this.#records
  }

  /** Creates the list when a query first needs this order. Records with equal values are sorted by key. */
  async list(field: string): Promise<SortedRecords> {
    const { list, filled } = this.#lists.find((each) => each.list.field === field) ?? this.#open(field)
    await filled
    return list
  }

  insert(record: Stored): void {
    this.#records.add(record)
    for (const { list } of this.#lists) list.insert(record)
  }

  remove(record: Stored): void {
    this.#records.delete(record)
    for (const { list } of this.#lists) list.remove(record)
  }

  #open(field: string): OpenList {
    const list = new SortedRecords(field, this.#key)
    const opened = { list, filled: this.#fill(list) }
    this.#lists = [...this.#lists, opened]
    return opened
  }

  #fill(list: SortedRecords): Promise<void> {
    return forEachYielding(this.#batches(list.field), (record) => {
      if (this.#records.has(record)) list.insert(record)
    })
  }

  /** Sorted batches usually go into one chunk of the list, which saves a third of the time at 1,000,000 records. */
  *#batches(field: string): Generator<Stored> {
    const records = [...this.#records]
    for (let i = 0; i < records.length; i += BATCH) {
      yield* sorted(records.slice(i, i + BATCH), field, this.#key, 'asc')
    }
  }
}
