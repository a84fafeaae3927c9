import type { CollectionName } from '#contract/records/collections.ts'
import { collectionNames, collections } from '#contract/records/collections.ts'
import type { OpenPattern } from '../engine.ts'
import type { Changes } from '../memory/tables.ts'
import { type RecordSource, recordsOf, type Stored, type WorldRecords } from '../record.ts'

export type RecordLists = Map<CollectionName, Stored[]>
export type RecordKeys = ReadonlyMap<CollectionName, ReadonlySet<string>>
export interface BaseBody {
  /** A pattern is known by its digest; dates of some collections stand as distances from a world's start. */
  pattern?: { digest: string; dated: readonly CollectionName[] }
}

export type OpenPatternOf = (lists: RecordLists, dated: ReadonlySet<CollectionName>) => OpenPattern

/** Worlds share the records that they begin with: a pattern, or what one world began with and its forks. */
export class Base {
  readonly id: number
  readonly body: BaseBody
  readonly images = new Set<string>()
  /** The base is removed when no world uses it. */
  users = 0
  /** The pattern, or the records until all worlds that begin with them are open. */
  readonly #pattern: OpenPattern | undefined
  #lists: RecordLists = new Map()
  readonly #keys: RecordKeys = new Map()
  /** These worlds have not been opened since the start. */
  #unopened = 0

  /** Who has looked at all records before gives their keys. */
  constructor(id: number, body: BaseBody, lists: RecordLists, openPattern: OpenPatternOf, keys?: RecordKeys) {
    this.id = id
    this.body = body
    if (body.pattern) this.#pattern = openPattern(lists, new Set(body.pattern.dated))
    else {
      this.#lists = lists
      this.#keys = keys ?? keysOf(lists)
    }
  }

  expect(): void {
    this.users++
    this.#unopened++
  }

  has(at: number, name: CollectionName, key: string): boolean {
    return this.#pattern?.hasAt(at, name, key) ?? this.#keys.get(name)?.has(key) ?? false
  }

  /** Records that a source would make on demand were made for the base, and need not be made again. */
  madeFrom(source: RecordSource, name: CollectionName): RecordSource {
    return typeof source === 'function' ? (this.#lists.get(name) ?? source) : source
  }

  open(at: number, changes: Changes): WorldRecords {
    const records = this.#pattern?.recordsAt(at) ?? this.#lists
    if (--this.#unopened <= 0) this.#lists = new Map()
    return overlay(records, changes)
  }

  openUnchecked(at: number, changes: Changes): WorldRecords {
    return overlay(this.#pattern?.uncheckedAt(at) ?? this.#lists, changes)
  }
}

function keysOf(lists: RecordLists): RecordKeys {
  const keys = Array.from(lists, ([name, list]) => {
    const { key } = collections[name]
    return [name, new Set(list.map((each) => String(each[key])))] as const
  })
  return new Map(keys)
}

function overlay(records: WorldRecords, changes: Changes): WorldRecords {
  const names = collectionNames.filter((name) => records.has(name) || changes.has(name))
  return new Map(
    names.map((name): [CollectionName, RecordSource] => {
      const source = records.get(name) ?? []
      if (!changes.has(name)) return [name, source]
      // The world goes on changing, and a fork may ask later, so the changes are copied.
      const changed = new Map(changes.get(name))
      return [name, () => changedRecords(name, recordsOf(source), changed)]
    }),
  )
}

function* changedRecords(
  name: CollectionName,
  records: Iterable<Stored>,
  changed: ReadonlyMap<string, Stored | undefined>,
): Generator<Stored> {
  const { key } = collections[name]
  for (const record of records) if (!changed.has(String(record[key]))) yield record
  for (const record of changed.values()) if (record) yield record
}
