import type { Query, Scalar, Transaction, View, Where } from '../../ports.ts'
import { type CollectionName, collections } from '../../schemas/collections.ts'
import { collectionOf, deepFreeze, sorted, type Stored, toTransaction, toView } from '../record.ts'
import type { Conditions } from './indexes.ts'
import { type Direction, meets } from './table.ts'
import type { Changes, Tables } from './tables.ts'

/** Committed records. */
export function readersOf(tables: Tables): View {
  return toView((name) => ({
    get: async (key: string) => (tables.get(name) ?? (await tables.open(name))).get(key),
    find: async (query: Query<CollectionName> = {}) => {
      const { conditions, field, direction, offset, limit } = planOf(name, query)
      return conditions ? (await tables.open(name)).find(conditions, field, direction, offset, limit) : []
    },
    count: async (where: Where<CollectionName> = {}) => {
      const conditions = conditionsOf(where)
      return conditions ? (await tables.open(name)).count(conditions) : 0
    },
  }))
}

/** What a transaction sees: its own changes, over those that are `pending`, over the committed records. */
export function writersOf(tables: Tables, changes: Changes, pending?: Changes): Transaction {
  return toTransaction((name) => {
    const { schema, key: keyField } = collectionOf(name)
    const unsettled = () => layered(changes.get(name), pending?.get(name))
    const change = (key: string, record: Stored | undefined) => {
      if (!changes.has(name)) changes.set(name, new Map())
      changes.get(name)!.set(key, record)
    }
    const get = async (key: string) => {
      for (const layer of [changes.get(name), pending?.get(name)]) if (layer?.has(key)) return layer.get(key)
      return (tables.get(name) ?? (await tables.open(name))).get(key)
    }
    const find = async (query: Query<CollectionName>) => {
      const { conditions, field, direction, offset, limit } = planOf(name, query)
      if (!conditions) return []
      const own = unsettled()
      const table = await tables.open(name)
      if (!own) return table.find(conditions, field, direction, offset, limit)
      // Committed records that were changed since step aside for what became of them.
      const committed = await table.find(conditions, field, direction, 0, offset + limit + own.size)
      const kept = committed.filter((record) => !own.has(String(record[keyField])))
      const added = [...own.values()].filter((record) => record !== undefined && meets(record, conditions)) as Stored[]
      return sorted([...kept, ...added], field, keyField, direction).slice(offset, offset + limit)
    }
    const count = async (conditions: Conditions) => {
      const table = await tables.open(name)
      let counted = await table.count(conditions)
      for (const [key, record] of unsettled() ?? []) {
        const committed = table.get(key)
        if (committed && meets(committed, conditions)) counted--
        if (record && meets(record, conditions)) counted++
      }
      return counted
    }
    return {
      get,
      find: async (query: Query<CollectionName> = {}) => find(query),
      count: async (where: Where<CollectionName> = {}) => {
        const conditions = conditionsOf(where)
        return conditions ? count(conditions) : 0
      },
      put: async (record: Stored) => {
        const checked = deepFreeze(schema.parse(record))
        change(String(checked[keyField]), checked)
      },
      delete: async (key: string) => {
        const existed = (await get(key)) !== undefined
        if (existed) change(key, undefined)
        return existed
      },
    }
  })
}

type Layer = ReadonlyMap<string, Stored | undefined>

function layered(own: Layer | undefined, pending: Layer | undefined): Layer | undefined {
  return own && pending ? new Map([...pending, ...own]) : (own ?? pending)
}

interface Plan {
  /** None when a field may have no value at all, so that nothing can match. */
  conditions: Conditions | undefined
  field: string
  direction: Direction
  offset: number
  limit: number
}

function planOf(
  name: CollectionName,
  { where = {}, orderBy, offset = 0, limit = Infinity }: Query<CollectionName>,
): Plan {
  const { field, direction } = orderBy ?? { field: collections[name].key, direction: 'asc' }
  return { conditions: conditionsOf(where), field, direction, offset, limit }
}

function conditionsOf(where: Where<CollectionName>): Conditions | undefined {
  const conditions = new Map<string, readonly Scalar[]>()
  for (const [field, value] of Object.entries(where) as [string, Scalar | readonly Scalar[] | undefined][]) {
    if (value === undefined) continue
    const values = Array.isArray(value) ? [...new Set(value as Scalar[])] : [value as Scalar]
    if (values.length === 0) return undefined
    conditions.set(field, values)
  }
  return conditions
}
