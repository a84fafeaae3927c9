import { type Scalar, UniqueViolation } from '../ports.ts'
import type { Collection } from '../schemas/collections.ts'
import { type Conditions, MemoryIndex, sorted } from './memory-index.ts'
import type { SortedRecords, Stored } from './sorted-records.ts'

export type Direction = 'asc' | 'desc'

/** Up to so many candidates, collecting and sorting beats walking a larger index in order. */
const FEW = 1000

/** One collection in memory: its records by key, its declared indexes, and one over everything by key. */
export class MemoryTable {
  readonly #collection: Collection
  readonly #records: Map<string, Stored>
  readonly #indexes: readonly MemoryIndex[]

  constructor(collection: Collection, records: Iterable<Stored> = []) {
    const { key, indexes } = collection
    this.#collection = collection
    this.#records = new Map(Array.from(records, (record) => [String(record[key]), record]))
    this.#indexes = [...indexes, { on: [] }].map(
      (declaration) => new MemoryIndex(declaration, key, this.#records.values()),
    )
  }

  get size(): number {
    return this.#records.size
  }

  get(key: string): Stored | undefined {
    return this.#records.get(key)
  }

  all(): IterableIterator<Stored> {
    return this.#records.values()
  }

  set(key: string, record: Stored): void {
    this.delete(key)
    this.#records.set(key, record)
    for (const index of this.#indexes) index.insert(record)
  }

  delete(key: string): boolean {
    const old = this.#records.get(key)
    if (!old) return false
    for (const index of this.#indexes) index.remove(old)
    return this.#records.delete(key)
  }

  /** Throws when `record` would take a unique value of another record, those that `changes` replaces aside. */
  assertUnique(key: string, record: Stored, changes: ReadonlyMap<string, Stored | undefined>): void {
    for (const index of this.#indexes) {
      if (!index.declaration.unique) continue
      const { on } = index.declaration
      const committed = index.twinOf(record)
      const others = [...changes].filter(([other, change]) => other !== key && change !== undefined)
      const taken =
        (committed && String(committed[this.#collection.key]) !== key && !changes.has(String(committed[this.#collection.key]))) ||
        others.some(([, change]) => on.every((field) => change![field] === record[field]))
      if (taken) throw new UniqueViolation(`${on.join(' and ')} is taken`)
    }
  }

  find(conditions: Conditions, field: string, direction: Direction, offset: number, limit: number): Stored[] {
    const { key } = this.#collection
    const sort = (records: readonly Stored[]) => sorted(records, field, key, direction).slice(offset, offset + limit)
    const byKey = this.#byKey(conditions)
    if (byKey) return sort(byKey)

    const inOrder = this.#indexes.filter((index) => index.orders.includes(field))
    const exact = inOrder.find((index) => index.serves(conditions, true))
    if (exact) {
      const lists = exact.lists(conditions, field)
      if (lists.length === 1) return lists[0]!.slice(direction, offset, limit)
      return sort(lists.flatMap((list) => list.slice(direction, 0, offset + limit)))
    }

    const smallest = this.#smallest(conditions)
    if (smallest.count(conditions) > FEW) {
      const walkable = inOrder.find((index) => index.serves(conditions, false) && index.lists(conditions).length === 1)
      if (walkable) return page(walkable.lists(conditions, field)[0]!.walk(direction), conditions, offset, limit)
    }
    return sort(candidates(smallest.lists(conditions), conditions))
  }

  count(conditions: Conditions): number {
    const byKey = this.#byKey(conditions)
    if (byKey) return byKey.length
    const exact = this.#indexes.find((index) => index.serves(conditions, true))
    if (exact) return exact.count(conditions)
    return candidates(this.#smallest(conditions).lists(conditions), conditions).length
  }

  /** The records of the keys a query names, if it names any. */
  #byKey(conditions: Conditions): Stored[] | undefined {
    return conditions
      .get(this.#collection.key)
      ?.map((key) => this.#records.get(String(key)))
      .filter((record) => record !== undefined)
      .filter((record) => meets(record, conditions))
  }

  /** The usable index with the fewest candidates; the one over everything always is usable. */
  #smallest(conditions: Conditions): MemoryIndex {
    return this.#indexes
      .filter((index) => index.serves(conditions, false))
      .reduce((best, index) => (index.count(conditions) < best.count(conditions) ? index : best))
  }
}

export function meets(record: Stored, conditions: Conditions): boolean {
  for (const [field, values] of conditions) if (!values.includes(record[field] as Scalar)) return false
  return true
}

function candidates(lists: readonly SortedRecords[], conditions: Conditions): Stored[] {
  return lists.flatMap((list) => [...list.walk('asc')].filter((record) => meets(record, conditions)))
}

function page(records: Iterable<Stored>, conditions: Conditions, offset: number, limit: number): Stored[] {
  const found: Stored[] = []
  let skip = offset
  for (const record of records) {
    if (found.length >= limit) break
    if (!meets(record, conditions)) continue
    if (skip > 0) skip--
    else found.push(record)
  }
  return found
}
