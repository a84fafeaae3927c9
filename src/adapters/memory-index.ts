import type { Scalar } from '../ports.ts'
import type { IndexDeclaration } from '../schemas/collections.ts'
import { compareValues, SortedRecords, type Stored } from './sorted-records.ts'

/** Equality conditions of a query, each with the values it allows. */
export type Conditions = ReadonlyMap<string, readonly Scalar[]>

/** A declared index: for each combination of its `on` values one sorted list per `orderBy` field. */
export class MemoryIndex {
  readonly declaration: IndexDeclaration
  readonly orders: readonly string[]
  readonly #key: string
  readonly #partitions = new Map<string, Map<string, SortedRecords>>()

  /** `inOrder` gives the records in the ascending order of a field. */
  constructor(declaration: IndexDeclaration, key: string, inOrder: (field: string) => readonly Stored[]) {
    this.declaration = declaration
    this.orders = declaration.orderBy ?? [key]
    this.#key = key
    for (const field of this.orders) {
      for (const [name, group] of this.#group(inOrder(field))) {
        if (!this.#partitions.has(name)) this.#partitions.set(name, new Map())
        this.#partitions.get(name)!.set(field, new SortedRecords(field, key, group))
      }
    }
  }

  /** Whether a query names every field of the index, and with `exactly` no other. */
  serves(conditions: Conditions, exactly: boolean): boolean {
    const { on } = this.declaration
    return on.every((field) => conditions.has(field)) && (!exactly || on.length === conditions.size)
  }

  /** The lists that hold what the conditions on the index's own fields allow, in the order of `field`. */
  lists(conditions: Conditions, field = this.orders[0]!): SortedRecords[] {
    let names: string[][] = [[]]
    for (const each of this.declaration.on) {
      names = names.flatMap((name) => conditions.get(each)!.map((value) => [...name, String(value)]))
    }
    return names.flatMap((name) => this.#partitions.get(name.join('\u0000'))?.get(field) ?? [])
  }

  count(conditions: Conditions): number {
    return this.lists(conditions).reduce((sum, list) => sum + list.size, 0)
  }

  /** A record with the same values, for a unique index. */
  twinOf(record: Stored): Stored | undefined {
    const name = this.#nameOf(record)
    const partition = name === undefined ? undefined : this.#partitions.get(name)
    return partition?.get(this.orders[0]!)?.slice('asc', 0, 1)[0]
  }

  insert(record: Stored): void {
    const name = this.#nameOf(record)
    if (name === undefined) return
    const partition = this.#partitions.get(name)
    if (!partition) this.#partitions.set(name, this.#partition(record))
    else for (const list of partition.values()) list.insert(record)
  }

  remove(record: Stored): void {
    const name = this.#nameOf(record)
    const partition = name === undefined ? undefined : this.#partitions.get(name)
    if (name === undefined || !partition) return
    for (const list of partition.values()) list.remove(record)
    if (partition.get(this.orders[0]!)?.size === 0) this.#partitions.delete(name)
  }

  #partition(record: Stored): Map<string, SortedRecords> {
    return new Map(this.orders.map((field) => [field, new SortedRecords(field, this.#key, [record])]))
  }

  #group(records: readonly Stored[]): Map<string, Stored[]> {
    const groups = new Map<string, Stored[]>()
    for (const record of records) {
      const name = this.#nameOf(record)
      if (name === undefined) continue
      const group = groups.get(name)
      if (group) group.push(record)
      else groups.set(name, [record])
    }
    return groups
  }

  /** A record without a value for one of the fields is not in the index. */
  #nameOf(record: Stored): string | undefined {
    const values = this.declaration.on.map((field) => record[field])
    if (values.some((value) => value === undefined || value === null)) return undefined
    return values.map(String).join('\u0000')
  }
}

/** The two values are taken out once: reading a field by its name in every comparison costs more than comparing. */
export function sorted(records: readonly Stored[], field: string, key: string, direction: 'asc' | 'desc'): Stored[] {
  const sign = direction === 'desc' ? -1 : 1
  return records
    .map((record) => ({ value: record[field], key: record[key], record }))
    .sort((a, b) => sign * (compareValues(a.value, b.value) || compareValues(a.key, b.key)))
    .map(({ record }) => record)
}
