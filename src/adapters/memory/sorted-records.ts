import { type Entry, fieldOf, recordOf } from './kept-record.ts'

export type Stored = Readonly<Record<string, unknown>>

const MAX_CHUNK = 512

/**
 * Records in the order of one field, equal values by key: sorted arrays of at most 512, so that an insert moves few
 * entries and a page deep in a million records is found by adding up chunk lengths.
 */
export class SortedRecords {
  readonly field: string
  readonly #key: string
  #chunks: Entry[][]
  #size: number

  /** `sorted` must be in this order already; see `#compare`. */
  constructor(field: string, key: string, sorted: readonly Entry[] = []) {
    this.field = field
    this.#key = key
    this.#chunks = []
    for (let i = 0; i < sorted.length; i += MAX_CHUNK / 2) this.#chunks.push(sorted.slice(i, i + MAX_CHUNK / 2))
    this.#size = sorted.length
  }

  get size(): number {
    return this.#size
  }

  insert(record: Entry): void {
    this.#size++
    const at = this.#chunkOf(record)
    const chunk = this.#chunks[at]
    if (!chunk) {
      this.#chunks.push([record])
      return
    }
    chunk.splice(this.#position(chunk, record), 0, record)
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(MAX_CHUNK / 2))
  }

  remove(record: Entry): void {
    const at = this.#chunkOf(record)
    const chunk = this.#chunks[at]
    const index = chunk ? this.#position(chunk, record) : -1
    if (!chunk || index >= chunk.length || this.#compare(chunk[index]!, record) !== 0) return
    chunk.splice(index, 1)
    this.#size--
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** Records from `offset` on, counted from the far end when descending. */
  *walk(direction: 'asc' | 'desc', offset = 0): Generator<Entry> {
    let skip = offset
    const descending = direction === 'desc'
    for (let i = 0; i < this.#chunks.length; i++) {
      const chunk = this.#chunks[descending ? this.#chunks.length - 1 - i : i]!
      if (skip >= chunk.length) {
        skip -= chunk.length
        continue
      }
      for (let j = skip; j < chunk.length; j++) yield chunk[descending ? chunk.length - 1 - j : j]!
      skip = 0
    }
  }

  /** The record at a place counted from 0, from the far end when descending. */
  at(direction: 'asc' | 'desc', place: number): Entry | undefined {
    let skip = direction === 'desc' ? this.#size - 1 - place : place
    for (const chunk of this.#chunks) {
      if (skip < chunk.length) return chunk[skip]
      skip -= chunk.length
    }
    return undefined
  }

  slice(direction: 'asc' | 'desc', offset: number, limit: number): Entry[] {
    const page: Entry[] = []
    if (limit <= 0) return page
    for (const record of this.walk(direction, offset)) {
      page.push(record)
      if (page.length >= limit) break
    }
    return page
  }

  /** Whoever is compared by one that comes will be by the next ones too: as records they are quicker to ask. */
  #compare(one: Entry, other: Entry): number {
    const [a, b] = [recordOf(one), recordOf(other)]
    return compareValues(a[this.field], b[this.field]) || compareValues(a[this.#key], b[this.#key])
  }

  /** The chunk a record belongs to: the first whose last entry is not before it, else the last. */
  #chunkOf(record: Entry): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const chunk = this.#chunks[middle]!
      if (this.#compare(chunk[chunk.length - 1]!, record) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #position(chunk: readonly Entry[], record: Entry): number {
    let low = 0
    let high = chunk.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(chunk[middle]!, record) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Absent values come first; the values of one field are of one type. */
function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined || a === null) return -1
  if (b === undefined || b === null) return 1
  return (a as string) < (b as string) ? -1 : 1
}

/** The two values are taken out once: reading a field by its name in every comparison costs more than comparing. */
export function sorted<E extends Entry>(
  records: readonly E[],
  field: string,
  key: string,
  direction: 'asc' | 'desc',
): E[] {
  const sign = direction === 'desc' ? -1 : 1
  return records
    .map((record) => ({ value: fieldOf(record, field), key: fieldOf(record, key), record }))
    .sort((a, b) => sign * (compareValues(a.value, b.value) || compareValues(a.key, b.key)))
    .map(({ record }) => record)
}
