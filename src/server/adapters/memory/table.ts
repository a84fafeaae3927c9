import { UniqueViolation } from '#server/ports/failures.ts'
import type { Scalar } from '#server/ports/store.ts'
import { forEachYielding } from '#server/ports/yielding.ts'
import type { Collection } from '#contract/records/collections.ts'
import { deepFreeze, sorted, type Stored } from '../record.ts'
import { type Conditions, MemoryIndex } from './indexes.ts'
import { KeyedRecords } from './keyed-records.ts'
import type { SortedRecords } from './sorted-records.ts'

export type Direction = 'asc' | 'desc'

/** Records are frozen when they are returned. Freezing all records when a large world is opened would take too long. */
export class MemoryTable {
  readonly #collection: Collection
  readonly #records: KeyedRecords
  readonly #indexes: readonly MemoryIndex[]

  constructor(collection: Collection, records: Iterable<Stored> = [], kept = new KeyedRecords()) {
    const { key, indexes } = collection
    this.#collection = collection
    this.#records = kept
    this.#indexes = [...indexes, { on: [] }].map((declaration) => new MemoryIndex(declaration, key, kept))
    for (const record of records) this.add(record)
  }

  copy(): MemoryTable {
    return new MemoryTable(this.#collection, [], this.#records.copy())
  }

  add(record: Stored): void {
    this.set(String(record[this.#collection.key]), record)
  }

  [Symbol.iterator](): Generator<Stored> {
    return this.#records.values()
  }

  get size(): number {
    return this.#records.size
  }

  get(key: string): Stored | undefined {
    return deepFreeze(this.#records.get(key))
  }

  /** Inserts first, so that a query that has already selected its groups still finds one of the two records. */
  set(key: string, record: Stored): void {
    const old = this.#records.get(key)
    this.#records.set(key, record)
    for (const index of this.#indexes) {
      index.insert(record)
      if (old) index.remove(old)
    }
  }

  delete(key: string): boolean {
    const old = this.#records.get(key)
    if (!old) return false
    for (const index of this.#indexes) index.remove(old)
    return this.#records.delete(key)
  }

  /** The committed version of a record is ignored if `changes` contains the record. */
  async assertUnique(key: string, record: Stored, changes: ReadonlyMap<string, Stored | undefined>): Promise<void> {
    for (const index of this.#indexes) {
      if (!index.declaration.unique) continue
      const { on } = index.declaration
      const twin = await index.twinOf(record)
      const owner = twin && String(twin[this.#collection.key])
      const others = [...changes].filter(([other, change]) => other !== key && change !== undefined)
      const taken =
        (owner !== undefined && owner !== key && !changes.has(owner)) ||
        others.some(([, change]) => on.every((field) => change![field] === record[field]))
      if (taken) throw new UniqueViolation(`${on.join(' and ')} is already in use`)
    }
  }

  async find(
    conditions: Conditions,
    field: string,
    direction: Direction,
    offset: number,
    limit: number,
    upTo?: string,
  ): Promise<Stored[]> {
    const { key } = this.#collection
    const found =
      upTo === undefined
        ? await this.#find(conditions, field, direction, offset, limit)
        : sorted(await this.#findUpTo(conditions, field, upTo), field, key, direction).slice(offset, offset + limit)
    await forEachYielding(found, deepFreeze)
    return found
  }

  async #find(conditions: Conditions, field: string, direction: Direction, offset: number, limit: number) {
    const { key } = this.#collection
    const sort = (records: readonly Stored[]) => sorted(records, field, key, direction).slice(offset, offset + limit)
    const byKey = this.#byKey(conditions)
    if (byKey) return sort(byKey)

    const inOrder = this.#indexes.filter((index) => index.orders.includes(field))
    const exact = inOrder.find((index) => index.serves(conditions, true))
    if (exact) {
      const lists = await exact.lists(conditions, field)
      if (lists.length === 1) return lists[0]!.slice(direction, offset, limit)
      return pageOfMany(lists, (records) => sorted(records, field, key, direction), direction, offset, limit)
    }

    const smallest = (await this.#smallest(conditions))!
    const oneGroup = inOrder.filter((index) => index.serves(conditions, false) && isOneGroup(index, conditions))
    const walkable = await fewest(oneGroup, conditions)
    if (walkable && walkingPays(walkable.count, smallest.count, offset + limit)) {
      const matches = matcher(beyond(walkable.index, conditions))
      const [list] = await walkable.index.lists(conditions, field)
      return list ? page(list.walk(direction), matches, offset, limit) : []
    }
    return sort(await candidates(smallest.index, conditions))
  }

  async #findUpTo(conditions: Conditions, field: string, most: string): Promise<Stored[]> {
    const index = this.#indexes.find((each) => each.orders.includes(field) && each.serves(conditions, false))
    if (!index) throw new Error(`no index of the query is ordered by ${field}`)
    const lists = await index.lists(conditions, field)
    return lists.flatMap((list) => list.upTo(most)).filter(matcher(beyond(index, conditions)))
  }

  async count(conditions: Conditions): Promise<number> {
    const byKey = this.#byKey(conditions)
    if (byKey) return byKey.length
    const exact = this.#indexes.find((index) => index.serves(conditions, true))
    if (exact) return exact.count(conditions)
    return (await candidates((await this.#smallest(conditions))!.index, conditions)).length
  }

  #byKey(conditions: Conditions): Stored[] | undefined {
    return conditions
      .get(this.#collection.key)
      ?.map((key) => this.#records.get(String(key)))
      .filter((record) => record !== undefined)
      .filter((record) => meets(record, conditions))
  }

  /** Returns the usable index with the fewest candidates. The index without fields is always usable. */
  #smallest(conditions: Conditions): Promise<{ index: MemoryIndex; count: number } | undefined> {
    const usable = this.#indexes.filter((index) => index.serves(conditions, false))
    return fewest(usable, conditions)
  }
}

async function fewest(indexes: readonly MemoryIndex[], conditions: Conditions) {
  let best: { index: MemoryIndex; count: number } | undefined
  for (const index of indexes) {
    const count = await index.count(conditions)
    if (!best || count < best.count) best = { index, count }
  }
  return best
}

function isOneGroup({ declaration }: MemoryIndex, conditions: Conditions): boolean {
  return declaration.on.every((field) => conditions.get(field)!.length === 1)
}

/** Returns whether reading an ordered index costs less than collecting and sorting all candidates. */
function walkingPays(size: number, count: number, end: number): boolean {
  return count > 0 && Math.min(size, (end * size) / count) < count * Math.log2(count)
}

export function meets(record: Stored, conditions: Conditions): boolean {
  return matcher(conditions)(record)
}

function matcher(conditions: Conditions): (record: Stored) => boolean {
  const tests = [...conditions].map(([field, values]) => ({ field, values: new Set(values) }))
  return (record) => {
    for (const { field, values } of tests) if (!values.has(record[field] as Scalar)) return false
    return true
  }
}

function beyond(index: MemoryIndex, conditions: Conditions): Conditions {
  return new Map([...conditions].filter(([field]) => !index.declaration.on.includes(field)))
}

async function candidates(index: MemoryIndex, conditions: Conditions): Promise<Stored[]> {
  const matches = matcher(beyond(index, conditions))
  return (await index.groups(conditions)).flatMap((group) => [...group.records()].filter(matches))
}

function page(records: Iterable<Stored>, matches: (record: Stored) => boolean, offset: number, limit: number) {
  const found: Stored[] = []
  let skip = offset
  for (const record of records) {
    if (found.length >= limit) break
    if (!matches(record)) continue
    if (skip > 0) skip--
    else found.push(record)
  }
  return found
}

/** Skips entries before the page in large steps, so a deep page takes about as long as the first one. */
function pageOfMany(
  lists: readonly SortedRecords[],
  sort: (records: readonly Stored[]) => Stored[],
  direction: Direction,
  offset: number,
  limit: number,
): Stored[] {
  const skipped = skip(lists, sort, direction, offset)
  const next = lists.flatMap((list, i) => list.slice(direction, skipped[i]!, limit))
  return sort(next).slice(0, limit)
}

function skip(
  lists: readonly SortedRecords[],
  sort: (records: readonly Stored[]) => Stored[],
  direction: Direction,
  offset: number,
): number[] {
  const skipped = lists.map(() => 0)
  const total = lists.reduce((sum, { size }) => sum + size, 0)
  let remaining = Math.min(offset, total)
  while (remaining > 0) {
    const open = lists.flatMap((list, i) => (skipped[i]! < list.size ? [i] : []))
    const share = Math.max(1, Math.floor(remaining / open.length))
    // Only the step whose last record comes first is certain to be entirely before the page.
    const steps = open.map((i) => {
      const step = Math.min(share, lists[i]!.size - skipped[i]!)
      return { i, step, record: lists[i]!.at(direction, skipped[i]! + step - 1)! }
    })
    const [first] = sort(steps.map(({ record }) => record))
    const { i, step } = steps.find(({ record }) => record === first)!
    skipped[i]! += step
    remaining -= step
  }
  return skipped
}
