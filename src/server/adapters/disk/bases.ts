import type { CollectionName } from '#contract/records/collections.ts'
import { collectionNames, collections } from '#contract/records/collections.ts'
import type { OpenPattern } from '../engine.ts'
import type { Changes } from '../memory/tables.ts'
import { type RecordSource, recordsOf, type Stored, type WorldRecords } from '../record.ts'

/** Records by their keys. */
export type BaseRecords = ReadonlyMap<CollectionName, ReadonlyMap<string, Stored>>

export interface BaseBody {
  /** A pattern is known by its digest; dates of some collections are distances from a world's start. */
  pattern?: { digest: string; dated: readonly CollectionName[] }
}

export type OpenPatternOf = (
  lists: ReadonlyMap<CollectionName, readonly Stored[]>,
  dated: ReadonlySet<CollectionName>,
) => OpenPattern

/** Worlds share the records that they begin with: a pattern, or what one world began with and its forks. */
export class Base {
  readonly id: number
  readonly body: BaseBody
  readonly images = new Set<string>()
  /** The base is removed when no world uses it. */
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

  /** The records of a world that began at `at`, with its changes. */
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
  // The world goes on changing, and a fork may ask later, so the changes are copied.
  const changed = new Map(changes)
  return function* () {
    for (const record of recordsOf(source)) if (!changed.has(String(record[key]))) yield record
    for (const record of changed.values()) if (record) yield record
  }
}
