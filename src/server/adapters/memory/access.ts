import type { Outbox, Scalar, Transaction, View, Where } from '#server/ports/store.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import {
  collectionOf,
  deepFreeze,
  isUpTo,
  sorted,
  type Stored,
  type StoredReader,
  toTransaction,
  toView,
} from '../record.ts'
import type { Conditions } from './indexes.ts'
import { meets } from './table.ts'
import type { Changes, Tables } from './tables.ts'

export function readersOf(tables: Tables): View {
  return toView((name) => readerOver(tables, name, []))
}

/** A transaction reads its own changes first, then `pending` changes, then committed records. */
export function writersOf(
  tables: Tables,
  { changes, pending = new Map(), outbox }: { changes: Changes; pending?: Changes; outbox: Outbox },
): Transaction {
  return toTransaction((name) => {
    const { schema, key: keyField } = collectionOf(name)
    const reader = readerOver(tables, name, [changes, pending])
    const change = (key: string, record: Stored | undefined) => {
      if (!changes.has(name)) changes.set(name, new Map())
      changes.get(name)!.set(key, record)
    }
    return {
      get: reader.get,
      find: reader.find,
      count: reader.count,
      put: async (record: Stored) => {
        const checked = deepFreeze(schema.parse(record))
        change(String(checked[keyField]), checked)
      },
      delete: async (key: string) => {
        const existed = (await reader.get(key)) !== undefined
        if (existed) change(key, undefined)
        return existed
      },
    }
  }, outbox)
}

/** Uncommitted changes take precedence over committed records. The first layer contains the newest changes. */
function readerOver(tables: Tables, name: CollectionName, layers: readonly Changes[]): StoredReader {
  const { key: keyField } = collectionOf(name)
  return {
    async get(key) {
      for (const layer of layers) if (layer.get(name)?.has(key)) return layer.get(name)!.get(key)
      return (tables.get(name) ?? (await tables.open(name))).get(key)
    },
    async find(query = {}) {
      const { where = {}, orderBy, offset = 0, limit = Infinity, upTo } = query
      const { field, direction } = orderBy ?? { field: keyField, direction: 'asc' }
      const conditions = conditionsOf(where)
      if (!conditions) return []
      const table = await tables.open(name)
      const changed = mergedOf(name, layers)
      if (changed.size === 0) return table.find(conditions, field, direction, offset, limit, upTo)
      // If a record has changed, its committed version is ignored.
      const committed = await table.find(conditions, field, direction, 0, offset + limit + changed.size, upTo)
      const kept = committed.filter((record) => !changed.has(String(record[keyField])))
      const added = [...changed.values()].filter(
        (record) => record !== undefined && meets(record, conditions) && isUpTo(record, field, upTo),
      ) as Stored[]
      return sorted([...kept, ...added], field, keyField, direction).slice(offset, offset + limit)
    },
    async count(where = {}) {
      const conditions = conditionsOf(where)
      if (!conditions) return 0
      const table = await tables.open(name)
      let counted = await table.count(conditions)
      for (const [key, record] of mergedOf(name, layers)) {
        const committed = table.get(key)
        if (committed && meets(committed, conditions)) counted--
        if (record && meets(record, conditions)) counted++
      }
      return counted
    },
  }
}

function mergedOf(name: CollectionName, layers: readonly Changes[]): ReadonlyMap<string, Stored | undefined> {
  return new Map(layers.toReversed().flatMap((layer) => [...(layer.get(name) ?? [])]))
}

/** Returns undefined if the list of values for a field is empty, because then no record can match. */
export function conditionsOf(where: Where<CollectionName>): Conditions | undefined {
  const conditions = new Map<string, readonly Scalar[]>()
  for (const [field, value] of Object.entries(where) as [string, Scalar | readonly Scalar[] | undefined][]) {
    if (value === undefined) continue
    const values = Array.isArray(value) ? [...new Set(value as Scalar[])] : [value as Scalar]
    if (values.length === 0) return undefined
    conditions.set(field, values)
  }
  return conditions
}
