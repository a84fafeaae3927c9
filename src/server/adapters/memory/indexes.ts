import type { Scalar } from '#server/ports/store.ts'
import type { IndexDeclaration } from '#contract/records/collections.ts'
import { forEachInTurns } from '../node/for-each-in-turns.ts'
import type { Stored } from '../record.ts'
import type { SortedRecords } from './sorted-records.ts'
import { IndexGroup } from './index-group.ts'

export type Conditions = ReadonlyMap<string, readonly Scalar[]>

/** Each combination of `on` values has a group, with a list for each `orderBy` field. */
export class MemoryIndex {
  readonly declaration: IndexDeclaration
  readonly orders: readonly string[]
  readonly #key: string
  readonly #all: () => Iterable<Stored>
  #groups: Map<string, IndexGroup> | undefined
  /** Records in `gone` must not be added to the groups that are being made. */
  #build: { groups: Map<string, IndexGroup>; gone: Set<Stored>; done: Promise<void> } | undefined

  /** An index does no work and takes no room until it is first used; `all` then gives the records. */
  constructor(declaration: IndexDeclaration, key: string, all: () => Iterable<Stored>) {
    this.declaration = declaration
    this.orders = declaration.orderBy ?? [key]
    this.#key = key
    this.#all = all
  }

  /** The query must name every field of the index; with `exactly` it must name no other. */
  serves(conditions: Conditions, exactly: boolean): boolean {
    const { on } = this.declaration
    return on.every((field) => conditions.has(field)) && (!exactly || on.length === conditions.size)
  }

  async groups(conditions: Conditions): Promise<IndexGroup[]> {
    let names: string[][] = [[]]
    for (const each of this.declaration.on) {
      names = names.flatMap((name) => conditions.get(each)!.map((value) => [...name, String(value)]))
    }
    const groups = this.#groups ?? (await this.#open())
    return names.flatMap((name) => groups.get(name.join('\u0000')) ?? [])
  }

  async lists(conditions: Conditions, field: string): Promise<SortedRecords[]> {
    const groups = await this.groups(conditions)
    return Promise.all(groups.map((group) => group.list(field)))
  }

  async count(conditions: Conditions): Promise<number> {
    return (await this.groups(conditions)).reduce((sum, { size }) => sum + size, 0)
  }

  /** A unique index must hold no second record with the same values. */
  async twinOf(record: Stored): Promise<Stored | undefined> {
    const name = this.#nameOf(record)
    const groups = this.#groups ?? (await this.#open())
    const group = name === undefined ? undefined : groups.get(name)
    for (const twin of group?.records() ?? []) return twin
    return undefined
  }

  insert(record: Stored): void {
    const groups = this.#groups ?? this.#build?.groups
    if (groups) this.#put(groups, record)
  }

  remove(record: Stored): void {
    this.#build?.gone.add(record)
    const groups = this.#groups ?? this.#build?.groups
    const name = this.#nameOf(record)
    const group = name === undefined ? undefined : groups?.get(name)
    group?.remove(record)
    if (group?.size === 0) groups!.delete(name!)
  }

  /** The event loop goes on meanwhile, so records may come and go. */
  async #open(): Promise<Map<string, IndexGroup>> {
    if (!this.#build) {
      const [groups, gone] = [new Map<string, IndexGroup>(), new Set<Stored>()]
      const records = [...this.#all()]
      const done = forEachInTurns(records, (record) => {
        if (!gone.has(record)) this.#put(groups, record)
      })
      this.#build = { groups, gone, done }
    }
    const { groups, done } = this.#build
    await done
    this.#build = undefined
    this.#groups = groups
    return groups
  }

  #put(groups: Map<string, IndexGroup>, record: Stored): void {
    const name = this.#nameOf(record)
    if (name === undefined) return
    const group = groups.get(name)
    if (group) group.insert(record)
    else groups.set(name, new IndexGroup(this.#key, record))
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
