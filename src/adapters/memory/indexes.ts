import type { Scalar } from '../../ports.ts'
import type { IndexDeclaration } from '../../schemas/collections.ts'
import { sorted, type Stored } from '../record.ts'
import { SortedRecords } from './sorted-records.ts'

/** Equality conditions of a query, each with the values it allows. */
export type Conditions = ReadonlyMap<string, readonly Scalar[]>

/** A declared index: a group of records for each combination of its `on` values, with a list per `orderBy` field. */
export class MemoryIndex {
  readonly declaration: IndexDeclaration
  readonly orders: readonly string[]
  readonly #key: string
  readonly #all: () => Iterable<Stored>
  #groups: Map<string, IndexGroup> | undefined

  /** `all` gives the records there are when the index is first used: until then it has no work and takes no room. */
  constructor(declaration: IndexDeclaration, key: string, all: () => Iterable<Stored>) {
    this.declaration = declaration
    this.orders = declaration.orderBy ?? [key]
    this.#key = key
    this.#all = all
  }

  /** Whether a query names every field of the index, and with `exactly` no other. */
  serves(conditions: Conditions, exactly: boolean): boolean {
    const { on } = this.declaration
    return on.every((field) => conditions.has(field)) && (!exactly || on.length === conditions.size)
  }

  /** What the conditions on the index's own fields allow. */
  groups(conditions: Conditions): IndexGroup[] {
    let names: string[][] = [[]]
    for (const each of this.declaration.on) {
      names = names.flatMap((name) => conditions.get(each)!.map((value) => [...name, String(value)]))
    }
    const groups = this.#open()
    return names.flatMap((name) => groups.get(name.join('\u0000')) ?? [])
  }

  /** The same as lists in the order of `field`. */
  lists(conditions: Conditions, field: string): SortedRecords[] {
    return this.groups(conditions).map((group) => group.list(field))
  }

  count(conditions: Conditions): number {
    return this.groups(conditions).reduce((sum, { size }) => sum + size, 0)
  }

  /** A record with the same values, for a unique index. */
  twinOf(record: Stored): Stored | undefined {
    const name = this.#nameOf(record)
    const group = name === undefined ? undefined : this.#open().get(name)
    for (const twin of group?.records() ?? []) return twin
    return undefined
  }

  insert(record: Stored): void {
    if (!this.#groups) return
    const name = this.#nameOf(record)
    if (name !== undefined) this.#put(this.#groups, name, record)
  }

  remove(record: Stored): void {
    const name = this.#nameOf(record)
    const group = name === undefined ? undefined : this.#groups?.get(name)
    if (name === undefined || !group) return
    group.remove(record, this.orders[0]!)
    if (group.size === 0) this.#groups?.delete(name)
  }

  #open(): Map<string, IndexGroup> {
    if (this.#groups) return this.#groups
    const groups = new Map<string, IndexGroup>()
    for (const record of this.#all()) {
      const name = this.#nameOf(record)
      if (name !== undefined) this.#put(groups, name, record)
    }
    this.#groups = groups
    return groups
  }

  #put(groups: Map<string, IndexGroup>, name: string, record: Stored): void {
    const group = groups.get(name)
    if (group) group.insert(record)
    else groups.set(name, new IndexGroup(this.#key, [record]))
  }

  /** A record without a value for one of the fields is not in the index. */
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

/** Records with equal values in an index. They are put in an order when a query first asks for it. */
class IndexGroup {
  readonly #key: string
  #lists: SortedRecords[] = NONE
  /** In no order; until there is a list. */
  #unsorted: Stored[] | undefined

  constructor(key: string, records: Stored[]) {
    this.#key = key
    this.#unsorted = records
  }

  get size(): number {
    return this.#unsorted?.length ?? this.#lists[0]!.size
  }

  /** All of them, in no order that anybody may count on. */
  records(): Iterable<Stored> {
    return this.#unsorted ?? this.#lists[0]!.walk('asc')
  }

  /** In the order of a field, equal values by key. */
  list(field: string): SortedRecords {
    const known = this.#lists.find((list) => list.field === field)
    if (known) return known
    const list = new SortedRecords(field, this.#key, sorted([...this.records()], field, this.#key, 'asc'))
    this.#lists = [...this.#lists, list]
    this.#unsorted = undefined
    return list
  }

  insert(record: Stored): void {
    if (this.#unsorted) this.#unsorted.push(record)
    else for (const list of this.#lists) list.insert(record)
  }

  /** A list finds it sooner than a search would; `field` is the order to make one in when there is none. */
  remove(record: Stored, field: string): void {
    if (this.#unsorted) this.list(field)
    for (const list of this.#lists) list.remove(record)
  }
}

/** Shared by the many groups of one record that an index of unique values consists of. */
const NONE: SortedRecords[] = []
