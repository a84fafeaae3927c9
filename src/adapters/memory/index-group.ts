import type { Entry } from './kept-record.ts'
import { SortedRecords, sorted } from './sorted-records.ts'

/**
 * Records with equal values in an index. They are put in an order when somebody asks for it: most of a world's lists
 * nobody ever does.
 */
export class IndexGroup {
  readonly #key: string
  #lists: SortedRecords[] = NONE
  /** In no order; until there is a list. */
  #unsorted: Entry[] | undefined

  constructor(key: string, records: Entry[]) {
    this.#key = key
    this.#unsorted = records
  }

  get size(): number {
    return this.#unsorted?.length ?? this.#lists[0]!.size
  }

  /** All of them, in no order that anybody may count on. */
  records(): Iterable<Entry> {
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

  insert(record: Entry): void {
    if (this.#unsorted) this.#unsorted.push(record)
    else for (const list of this.#lists) list.insert(record)
  }

  /** A list finds it sooner than a search would; `field` is the order to make one in when there is none. */
  remove(record: Entry, field: string): void {
    if (this.#unsorted) this.list(field)
    for (const list of this.#lists) list.remove(record)
  }
}

/** Shared by the many groups of one record that an index of unique values consists of. */
const NONE: SortedRecords[] = []
