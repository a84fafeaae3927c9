import type { Stored } from '../record.ts'
import { sortInTurns } from './sort-in-turns.ts'
import { SortedRecords } from './sorted-records.ts'

/** Records may come and go while the order is made. */
interface Sorting {
  done: Promise<SortedRecords>
  added: Set<Stored>
  gone: Set<Stored>
}

/** Records are put in an order only when a query first asks for it. */
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

  /** The order is not defined. */
  records(): Iterable<Stored> {
    return this.#records
  }

  /** Equal values stand in the order of keys. */
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

/** A unique index has many groups of one record, which all share these empty lists. */
const NO_LISTS: readonly SortedRecords[] = []
const NO_SORTINGS: ReadonlyMap<string, Sorting> = new Map()
