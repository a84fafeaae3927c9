import { compareValues, isUpTo, type Stored, readField } from '../record.ts'

const MAX_CHUNK = 512

/** Arrays of at most 512 entries, so that an insert moves few entries and a deep page is found by adding lengths. */
export class SortedRecords {
  readonly field: string
  readonly #key: string
  readonly #chunks: Stored[][] = []
  #size = 0

  constructor(field: string, key: string) {
    this.field = field
    this.#key = key
  }

  get size(): number {
    return this.#size
  }

  insert(record: Stored): void {
    const at = this.#chunkOf(record)
    const chunk = this.#chunks[at] ?? []
    if (this.#size === 0) this.#chunks.push(chunk)
    const index = this.#position(chunk, record)
    const isNew = index === chunk.length || this.#compare(chunk[index]!, record) !== 0
    chunk.splice(index, isNew ? 0 : 1, record)
    if (isNew) this.#size++
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(MAX_CHUNK / 2))
  }

  remove(record: Stored): void {
    const at = this.#chunkOf(record)
    const chunk = this.#chunks[at]
    const index = chunk ? this.#position(chunk, record) : -1
    if (chunk?.[index] !== record) return
    chunk.splice(index, 1)
    this.#size--
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** In descending order, `offset` counts from the end. */
  *walk(direction: 'asc' | 'desc', offset = 0): Generator<Stored> {
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

  /** `place` is zero-based. In descending order, it counts from the end. */
  at(direction: 'asc' | 'desc', place: number): Stored | undefined {
    let skip = direction === 'desc' ? this.#size - 1 - place : place
    for (const chunk of this.#chunks) {
      if (skip < chunk.length) return chunk[skip]
      skip -= chunk.length
    }
    return undefined
  }

  slice(direction: 'asc' | 'desc', offset: number, limit: number): Stored[] {
    const page: Stored[] = []
    if (limit <= 0) return page
    for (const record of this.walk(direction, offset)) {
      page.push(record)
      if (page.length >= limit) break
    }
    return page
  }

  /** Records without a value are skipped. */
  upTo(most: string): Stored[] {
    const found: Stored[] = []
    for (const chunk of this.#chunks) {
      if (readField(chunk.at(-1)!, this.field) === undefined) continue
      for (const record of chunk) {
        if (isUpTo(record, this.field, most)) found.push(record)
        else if (readField(record, this.field) !== undefined) return found
      }
    }
    return found
  }

  #compare(a: Stored, b: Stored): number {
    return (
      compareValues(readField(a, this.field), readField(b, this.field)) || compareValues(a[this.#key], b[this.#key])
    )
  }

  #chunkOf(record: Stored): number {
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

  #position(chunk: readonly Stored[], record: Stored): number {
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
