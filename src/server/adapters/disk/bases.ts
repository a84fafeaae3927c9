import type { Digests } from '#server/ports/chance.ts'
import { yielding } from '#server/ports/yielding.ts'
import { type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'
import { digestOf, type OpenPattern, type Pattern, type WorldContent } from '../engine.ts'
import type { Changes } from '../memory/tables.ts'
import { type RecordSource, recordsOf, type Stored, type WorldRecords } from '../record.ts'
import type { Database, Step } from './database.ts'
import { type BaseBody, PUT_IMAGE, putBase, putRecord, removeBase } from './rows.ts'

export type BaseRecords = ReadonlyMap<CollectionName, ReadonlyMap<string, Stored>>

export type OpenPatternOf = (
  lists: ReadonlyMap<CollectionName, readonly Stored[]>,
  dated: ReadonlySet<CollectionName>,
) => OpenPattern

/** Initial records that worlds share: a pattern, or what one world and its forks started with. */
export class Base {
  readonly id: number
  readonly body: BaseBody
  readonly images = new Set<string>()
  /** Number of worlds that use this base. At 0, the base is removed. */
  users = 0
  readonly #records: BaseRecords
  readonly #pattern: OpenPattern | undefined

  constructor(id: number, body: BaseBody, records: BaseRecords, openPattern: OpenPatternOf) {
    this.id = id
    this.body = body
    this.#records = records
    if (!body.pattern) return
    const lists = Array.from(records, ([name, byKey]) => [name, [...byKey.values()]] as const)
    this.#pattern = openPattern(new Map(lists), new Set(body.pattern.dated))
  }

  has(at: number, name: CollectionName, key: string): boolean {
    return this.#pattern?.hasAt(at, name, key) ?? this.#records.get(name)?.has(key) ?? false
  }

  open(at: number, changes: Changes): WorldRecords {
    const stored = Array.from(this.#records, ([name, byKey]) => [name, () => byKey.values()] as const)
    const records: WorldRecords = this.#pattern?.recordsAt(at) ?? new Map(stored)
    const names = collectionNames.filter((name) => records.has(name) || changes.has(name))
    return new Map(names.map((name) => [name, overlay(name, records.get(name), changes.get(name))]))
  }
}

function overlay(
  name: CollectionName,
  source: RecordSource = [],
  changes?: ReadonlyMap<string, Stored | undefined>,
): RecordSource {
  if (!changes) return source
  const { key } = collections[name]
  // The records are copied, because the world may change before a fork reads them.
  const changed = new Map(changes)
  return function* () {
    for (const record of recordsOf(source)) if (!changed.has(String(record[key]))) yield record
    for (const record of changed.values()) if (record) yield record
  }
}

interface BasesOptions {
  file: Database
  digests: Digests
  openPattern: OpenPatternOf
  newId: () => number
}

export class Bases {
  readonly #options: BasesOptions
  readonly #bases = new Map<number, Base>()
  readonly #patterns = new WeakMap<Pattern, Promise<Base>>()

  constructor(options: BasesOptions) {
    this.#options = options
  }

  find(id: number): Base | undefined {
    return this.#bases.get(id)
  }

  has(base: Base): boolean {
    return this.#bases.has(base.id)
  }

  add(id: number, body: BaseBody, records: BaseRecords): Base {
    const base = new Base(id, body, records, this.#options.openPattern)
    this.#bases.set(id, base)
    return base
  }

  keepPattern(pattern: Pattern): Promise<Base> {
    const keep = async () => {
      const digest = await digestOf(pattern, this.#options.digests)
      const known = [...this.#bases.values()].find(({ body }) => body.pattern?.digest === digest)
      // The pattern counts as a user, so later worlds find the base. Without worlds, the next start removes it.
      if (known) {
        known.users++
        return known
      }
      const dated = pattern.names.filter((name) => pattern.read(name).isDated)
      const records = await readByKey(pattern.names.map((name) => [name, pattern.read(name).records]))
      return this.keep({ pattern: { digest, dated } }, records, [])
    }
    const kept = this.#patterns.get(pattern) ?? keep()
    this.#patterns.set(pattern, kept)
    kept.catch(() => this.#patterns.delete(pattern))
    return kept
  }

  async keep(body: BaseBody, records: BaseRecords, blobs: WorldContent['blobs']): Promise<Base> {
    const { file, newId } = this.#options
    const id = newId()
    function* rows(): Generator<Step> {
      for (const [name, byKey] of records) for (const record of byKey.values()) yield putRecord(id, name, record)
      yield putBase(id, body)
    }
    try {
      for (const [digest, bytes] of blobs) await file.write([PUT_IMAGE, id, digest, bytes])
      await file.writeSlices(rows())
    } catch (error) {
      await file.write(...removeBase(id)).catch(() => {})
      throw error
    }
    const base = this.add(id, body, records)
    for (const [digest] of blobs) base.images.add(digest)
    base.users++
    return base
  }

  /** If a base cannot be removed because the disk is full, the next server start removes it. */
  leave(base: Base): void {
    if (--base.users === 0) this.#remove(base).catch(() => {})
  }

  async removeUnused(): Promise<void> {
    for (const base of this.#bases.values()) if (base.users === 0) await this.#remove(base)
  }

  async #remove(base: Base): Promise<void> {
    this.#bases.delete(base.id)
    await this.#options.file.write(...removeBase(base.id))
  }
}

export async function readByKey(
  records: Iterable<readonly [CollectionName, RecordSource]>,
): Promise<Map<CollectionName, Map<string, Stored>>> {
  const found = new Map<CollectionName, Map<string, Stored>>()
  for (const [name, source] of records) {
    const byKey = new Map<string, Stored>()
    found.set(name, byKey)
    for await (const record of yielding(recordsOf(source))) byKey.set(String(record[collections[name].key]), record)
  }
  return found
}
