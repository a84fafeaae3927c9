import type { Query, Scalar, Store, Transaction, View, Where } from '../ports.ts'
import { type Collection, type CollectionName, collectionNames, collections } from '../schemas/collections.ts'
import { type Conditions, sorted } from './memory-index.ts'
import { type Direction, MemoryTable, meets } from './memory-table.ts'
import type { Stored } from './sorted-records.ts'

/**
 * What a store starts from: a table that many stores share, each copying it before it first writes to it, or a
 * function that makes the store's own when it is first asked for.
 */
export type InitialTables = ReadonlyMap<CollectionName, MemoryTable | (() => MemoryTable)>
/** A transaction's pending writes by collection and key; `undefined` marks a deletion. */
export type Changes = Map<CollectionName, Map<string, Stored | undefined>>

export interface MemoryStoreOptions {
  /** What the store holds at first. */
  tables?: InitialTables
  /** Makes changes durable; they become visible when it resolves and are dropped when it rejects. */
  persist?: (changes: Changes) => Promise<void>
}

export function createMemoryStore({ tables: initial, persist }: MemoryStoreOptions = {}): Store {
  const tables = new Tables(initial)
  let lastTurn: Promise<unknown> = Promise.resolve()

  /** One transaction at a time: what it reads cannot change before its writes land. */
  function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const turn = lastTurn.then(async () => {
      const changes: Changes = new Map()
      const result = await work(writersOf(tables, changes))
      if (changes.size > 0) {
        assertUnique(changes)
        if (persist) await persist(changes)
        apply(changes)
      }
      return result
    })
    lastTurn = turn.catch(() => {})
    return turn
  }

  function assertUnique(changes: Changes): void {
    for (const [name, records] of changes) {
      for (const [key, record] of records) if (record) tables.get(name).assertUnique(key, record, records)
    }
  }

  function apply(changes: Changes): void {
    for (const [name, records] of changes) {
      const table = tables.own(name)
      for (const [key, record] of records) {
        if (record) table.set(key, record)
        else table.delete(key)
      }
    }
  }

  return { ...readersOf(tables), transaction, ping: async () => {}, close: async () => {} }
}

/** Checked records as a table; they are frozen. */
export function toTable(name: CollectionName, records: readonly Stored[]): MemoryTable {
  return new MemoryTable(collectionOf(name), records.map(deepFreeze))
}

class Tables {
  readonly #initial: InitialTables
  readonly #tables = new Map<CollectionName, MemoryTable>()
  readonly #shared = new Set<CollectionName>()

  constructor(initial: InitialTables = new Map()) {
    this.#initial = initial
  }

  get(name: CollectionName): MemoryTable {
    return this.#tables.get(name) ?? this.#open(name)
  }

  /** The table for writing: a shared one is copied first. */
  own(name: CollectionName): MemoryTable {
    const table = this.get(name)
    if (!this.#shared.delete(name)) return table
    const copy = new MemoryTable(collectionOf(name), table.all())
    this.#tables.set(name, copy)
    return copy
  }

  #open(name: CollectionName): MemoryTable {
    const initial = this.#initial.get(name)
    if (initial instanceof MemoryTable) this.#shared.add(name)
    const table = initial instanceof MemoryTable ? initial : (initial?.() ?? new MemoryTable(collectionOf(name)))
    this.#tables.set(name, table)
    return table
  }
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}

function readersOf(tables: Tables): View {
  return byCollection((name) => ({
    get: async (key: string) => tables.get(name).get(key),
    find: async (query: Query<CollectionName> = {}) => {
      const { conditions, field, direction, offset, limit } = planOf(name, query)
      return conditions ? tables.get(name).find(conditions, field, direction, offset, limit) : []
    },
    count: async (where: Where<CollectionName> = {}) => {
      const conditions = conditionsOf(where)
      return conditions ? tables.get(name).count(conditions) : 0
    },
  })) as unknown as View
}

function writersOf(tables: Tables, changes: Changes): Transaction {
  return byCollection((name) => {
    const { schema, key: keyField } = collectionOf(name)
    const pending = () => changes.get(name)
    const change = (key: string, record: Stored | undefined) => {
      if (!changes.has(name)) changes.set(name, new Map())
      changes.get(name)!.set(key, record)
    }
    const get = (key: string) => (pending()?.has(key) ? pending()!.get(key) : tables.get(name).get(key))
    const find = (query: Query<CollectionName>) => {
      const { conditions, field, direction, offset, limit } = planOf(name, query)
      if (!conditions) return []
      const own = pending()
      if (!own) return tables.get(name).find(conditions, field, direction, offset, limit)
      // Committed records that this transaction changed step aside for what it made of them.
      const committed = tables.get(name).find(conditions, field, direction, 0, offset + limit + own.size)
      const kept = committed.filter((record) => !own.has(String(record[keyField])))
      const added = [...own.values()].filter((record) => record !== undefined && meets(record, conditions)) as Stored[]
      return sorted([...kept, ...added], field, keyField, direction).slice(offset, offset + limit)
    }
    return {
      get: async (key: string) => get(key),
      find: async (query: Query<CollectionName> = {}) => find(query),
      count: async (where: Where<CollectionName> = {}) => {
        const conditions = conditionsOf(where)
        if (!conditions) return 0
        return pending() ? find({ where }).length : tables.get(name).count(conditions)
      },
      put: async (record: Stored) => {
        const checked = deepFreeze(schema.parse(record))
        change(String(checked[keyField]), checked)
      },
      delete: async (key: string) => {
        const existed = get(key) !== undefined
        if (existed) change(key, undefined)
        return existed
      },
    }
  }) as unknown as Transaction
}

interface Plan {
  /** None when a field may have no value at all, so that nothing can match. */
  conditions: Conditions | undefined
  field: string
  direction: Direction
  offset: number
  limit: number
}

function planOf(name: CollectionName, { where = {}, orderBy, offset = 0, limit = Infinity }: Query<CollectionName>): Plan {
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

function collectionOf(name: CollectionName): Collection {
  return collections[name] as unknown as Collection
}

function byCollection<T>(make: (name: CollectionName) => T): Record<CollectionName, T> {
  return Object.fromEntries(collectionNames.map((name) => [name, make(name)])) as Record<CollectionName, T>
}
