import { type Scalar, UniqueViolation } from '../../ports.ts'
import type { Collection } from '../../schemas/collections.ts'
import { type Entry, fieldOf, recordOf } from './kept-record.ts'
import { type Conditions, MemoryIndex } from './indexes.ts'
import { pageOfMany } from './merged-page.ts'
import { sorted, type Stored } from './sorted-records.ts'

export type Direction = 'asc' | 'desc'

/** One collection in memory: its records by key, its declared indexes, and one over everything by key. */
export class MemoryTable {
  readonly #collection: Collection
  readonly #records: Map<string, Entry>
  readonly #indexes: readonly MemoryIndex[]

  constructor(collection: Collection, records: Iterable<Entry> = []) {
    const { key, indexes } = collection
    this.#collection = collection
    this.#records = new Map()
    for (const record of records) this.#records.set(String(fieldOf(record, key)), record)
    const all = () => this.#records.values()
    this.#indexes = [...indexes, { on: [] }].map((declaration) => new MemoryIndex(declaration, key, all))
  }

  get size(): number {
    return this.#records.size
  }

  get(key: string): Stored | undefined {
    const found = this.#records.get(key)
    return found && recordOf(found)
  }

  all(): Stored[] {
    return Array.from(this.#records.values(), recordOf)
  }

  /** The same records in a table of its own. */
  copy(): MemoryTable {
    return new MemoryTable(this.#collection, this.#records.values())
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
      const twin = index.twinOf(record)
      const owner = twin && String(fieldOf(twin, this.#collection.key))
      const others = [...changes].filter(([other, change]) => other !== key && change !== undefined)
      const taken =
        (owner !== undefined && owner !== key && !changes.has(owner)) ||
        others.some(([, change]) => on.every((field) => change![field] === record[field]))
      if (taken) throw new UniqueViolation(`${on.join(' and ')} is taken`)
    }
  }

  find(conditions: Conditions, field: string, direction: Direction, offset: number, limit: number): Stored[] {
    return this.#find(conditions, field, direction, offset, limit).map(recordOf)
  }

  #find(conditions: Conditions, field: string, direction: Direction, offset: number, limit: number): Entry[] {
    const { key } = this.#collection
    const sort = (records: readonly Entry[]) => sorted(records, field, key, direction).slice(offset, offset + limit)
    const byKey = this.#byKey(conditions)
    if (byKey) return sort(byKey)

    const inOrder = this.#indexes.filter((index) => index.orders.includes(field))
    const exact = inOrder.find((index) => index.serves(conditions, true))
    if (exact) {
      const lists = exact.lists(conditions, field)
      if (lists.length === 1) return lists[0]!.slice(direction, offset, limit)
      return pageOfMany(lists, (records) => sorted(records, field, key, direction), direction, offset, limit)
    }

    const smallest = this.#smallest(conditions)
    const walkable = fewest(
      inOrder.filter((index) => index.serves(conditions, false) && index.groups(conditions).length === 1),
      conditions,
    )
    if (walkable && walkingPays(walkable.count(conditions), smallest.count(conditions), offset + limit)) {
      const matches = matcher(beyond(walkable, conditions))
      return page(walkable.lists(conditions, field)[0]!.walk(direction), matches, offset, limit)
    }
    return sort(candidates(smallest, conditions))
  }

  count(conditions: Conditions): number {
    const byKey = this.#byKey(conditions)
    if (byKey) return byKey.length
    const exact = this.#indexes.find((index) => index.serves(conditions, true))
    if (exact) return exact.count(conditions)
    return candidates(this.#smallest(conditions), conditions).length
  }

  /** The records of the keys a query names, if it names any. */
  #byKey(conditions: Conditions): Entry[] | undefined {
    return conditions
      .get(this.#collection.key)
      ?.map((key) => this.#records.get(String(key)))
      .filter((record) => record !== undefined)
      .filter((record) => meets(record, conditions))
  }

  /** The usable index with the fewest candidates; the one over everything always is usable. */
  #smallest(conditions: Conditions): MemoryIndex {
    return fewest(
      this.#indexes.filter((index) => index.serves(conditions, false)),
      conditions,
    )!
  }
}

function fewest(indexes: readonly MemoryIndex[], conditions: Conditions): MemoryIndex | undefined {
  return indexes.reduce<MemoryIndex | undefined>(
    (best, index) => (!best || index.count(conditions) < best.count(conditions) ? index : best),
    undefined,
  )
}

/**
 * Whether reading `size` records in order up to `end` matches costs less than collecting and sorting all of `count`.
 */
function walkingPays(size: number, count: number, end: number): boolean {
  return count > 0 && Math.min(size, (end * size) / count) < count * Math.log2(count)
}

export function meets(record: Entry, conditions: Conditions): boolean {
  return matcher(conditions)(record)
}

/** Takes the conditions apart once, for tests of many records. */
function matcher(conditions: Conditions): (record: Entry) => boolean {
  const tests = [...conditions].map(([field, values]) => ({ field, values: new Set(values) }))
  return (record) => {
    for (const { field, values } of tests) if (!values.has(fieldOf(record, field) as Scalar)) return false
    return true
  }
}

/** The conditions that an index does not answer by itself. */
function beyond(index: MemoryIndex, conditions: Conditions): Conditions {
  return new Map([...conditions].filter(([field]) => !index.declaration.on.includes(field)))
}

function candidates(index: MemoryIndex, conditions: Conditions): Entry[] {
  const matches = matcher(beyond(index, conditions))
  return index.groups(conditions).flatMap((group) => [...group.records()].filter(matches))
}

function page(records: Iterable<Entry>, matches: (record: Entry) => boolean, offset: number, limit: number): Entry[] {
  const found: Entry[] = []
  let skip = offset
  for (const record of records) {
    if (found.length >= limit) break
    if (!matches(record)) continue
    if (skip > 0) skip--
    else found.push(record)
  }
  return found
}
