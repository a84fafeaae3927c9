import type { Stored } from '../record.ts'

/** A collection with more records than this is split into chunks by a hash of the keys. */
const MOST_IN_ONE = 2048
const CHUNKS = 1024

type Chunk = Map<string, Stored>

/** A copy shares all chunks. The side that writes copies the chunk, so the cost does not depend on the size. */
export class KeyedRecords {
  #chunks: Chunk[]
  #size: number
  /** Chunks that no copy shares, so this object can change them. */
  #own = new Set<Chunk>()

  constructor(chunks: Chunk[] = [new Map()], size = 0) {
    this.#chunks = chunks
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  copy(): KeyedRecords {
    this.#own.clear()
    return new KeyedRecords([...this.#chunks], this.#size)
  }

  get(key: string): Stored | undefined {
    return this.#chunks[this.#placeOf(key)]!.get(key)
  }

  set(key: string, record: Stored): void {
    const chunk = this.#ownChunk(key)
    this.#size -= chunk.size
    chunk.set(key, record)
    this.#size += chunk.size
    if (this.#chunks.length === 1 && chunk.size > MOST_IN_ONE) this.#spread()
  }

  delete(key: string): boolean {
    if (!this.get(key)) return false
    this.#size--
    return this.#ownChunk(key).delete(key)
  }

  *values(): Generator<Stored, undefined> {
    for (const chunk of this.#chunks) yield* chunk.values()
  }

  #ownChunk(key: string): Chunk {
    const place = this.#placeOf(key)
    const chunk = this.#chunks[place]!
    if (this.#own.has(chunk)) return chunk
    const own = new Map(chunk)
    this.#chunks[place] = own
    this.#own.add(own)
    return own
  }

  #spread(): void {
    const [all] = this.#chunks
    this.#chunks = Array.from({ length: CHUNKS }, () => new Map())
    this.#own = new Set(this.#chunks)
    for (const [key, record] of all!) this.#chunks[this.#placeOf(key)]!.set(key, record)
  }

  #placeOf(key: string): number {
    if (this.#chunks.length === 1) return 0
    let hash = 0x811c9dc5
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
    return (hash ^ (hash >>> 16)) & (CHUNKS - 1)
  }
}
