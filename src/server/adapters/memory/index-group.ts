import type { Stored } from '../record.ts'
import { sortInTurns } from './sort-in-turns.ts'
import { SortedRecords } from './sorted-records.ts'

/** An order in the making, and what comes and goes meanwhile. */
interface Sorting {
  done: Promise<SortedRecords>
  added: Set<Stored>
  gone: Set<Stored>
}

/** Records with equal values in an index. They are put in an order when a query first asks for it. */
export class IndexGroup {
  readonly #key: string
  readonly #records: Set<Stored>
  #lists: readonly SortedRecords[] = NO_LISTS
  #sortings: ReadonlyMap<string, Sorting> = NO_SORTINGS

  constructor(key: string, record: Stored) {
    this.#key = key
    this.#records = new Set([record])
  }

  get size(): number {
    return this.#records.size
  }

  /** All of them, in no order that anybody may count on. */
  records(): Iterable<Stored> {
    return this.#records
  }

  /** In the order of a field, equal values by key. */
  async list(field: string): Promise<SortedRecords> {
    const known = this.#lists.find((list) => list.field === field)
    return known ?? (this.#sortings.get(field) ?? this.#sort(field)).done
  }

  insert(record: Stored): void {
    this.#records.add(record)
    for (const list of this.#lists) list.insert(record)
    for (const { added } of this.#sortings.values()) added.add(record)
  }

  remove(record: Stored): void {
    this.#records.delete(record)
    for (const list of this.#lists) list.remove(record)
    for (const { added, gone } of this.#sortings.values()) {
      added.delete(record)
      gone.add(record)
    }
  }

  #sort(field: string): Sorting {
    const [added, gone] = [new Set<Stored>(), new Set<Stored>()]
    const sort = async () => {
      const records = await sortInTurns([...this.#records], field, this.#key)
      const kept = gone.size > 0 ? records.filter((each) => !gone.has(each)) : records
      const list = new SortedRecords(field, this.#key, kept)
      for (const record of added) list.insert(record)
      this.#lists = [...this.#lists, list]
      this.#sortings = new Map([...this.#sortings].filter(([each]) => each !== field))
      return list
    }
    const sorting: Sorting = { done: sort(), added, gone }
    this.#sortings = new Map([...this.#sortings, [field, sorting]])
    return sorting
  }
}

/** Shared by the many groups of one record that an index of unique values consists of. */
const NO_LISTS: readonly SortedRecords[] = []
const NO_SORTINGS: ReadonlyMap<string, Sorting> = new Map()
