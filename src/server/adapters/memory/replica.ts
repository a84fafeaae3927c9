import type { CollectionName } from '../../../contract/records/collections.ts'
import type { Store, Transaction, View } from '../../ports/store.ts'
import type { ReplicaOptions } from '../../ports/replica.ts'
import { collectionOf, lapsed, sorted, type Stored, type StoredReader, type StoredWriter } from '../record.ts'
import { conditionsOf } from './access.ts'
import { meets } from './table.ts'
import { toSeen, keepBefore } from './late-writes.ts'

/** Operations of document 1 read and write these collections. */
const LATE: readonly CollectionName[] = [
  'customers',
  'registeredProducts',
  'tickets',
  'bookings',
  'inStoreRequests',
  'symptomImages',
]

/** Others' writes become visible later to each caller of document 1. */
export function createReplica(store: Store, options: ReplicaOptions): Store {
  const { isRead } = options
  const transaction = <T>(work: (tx: Transaction) => Promise<T>) =>
    store.transaction((tx) => work(overlay(tx, (name) => writerOf(tx, name, options))))
  const view = isRead ? overlay(store, (name) => readerOf(store, name, options)) : store
  return Object.create(view, { transaction: { value: transaction } })
}

function overlay<V extends View>(view: V, make: (name: CollectionName) => StoredReader): V {
  const made = new Map<string, StoredReader>()
  const collection = (name: CollectionName): unknown => {
    if (!LATE.includes(name)) return view.collection(name)
    const known = made.get(name) ?? make(name)
    made.set(name, known)
    return known
  }
  const late = LATE.map((name) => [name, { get: () => collection(name) }])
  return Object.create(view, { ...Object.fromEntries(late), collection: { value: collection } }) as V
}

function readerOf(store: View, name: CollectionName, options: ReplicaOptions): StoredReader {
  const collection = collectionOf(name)
  const { key: keyField } = collection
  const inner = store.collection(name) as StoredReader
  const findSeen = async () => toSeen(await store.lateWrites.find({ where: { collection: name } }), options)
  return {
    async get(key) {
      const seen = await findSeen()
      return seen.has(key) ? seen.get(key) : inner.get(key)
    },
    async find(query = {}) {
      const seen = await findSeen()
      if (seen.size === 0) return inner.find(query)
      const { where = {}, orderBy, offset = 0, limit = Infinity, asOf } = query
      const conditions = conditionsOf(where)
      if (!conditions) return []
      const { field, direction } = orderBy ?? { field: keyField, direction: 'asc' }
      // So many further records may be hidden from the caller.
      const most = offset + limit + seen.size
      const all = await inner.find({
        where,
        orderBy: { field, direction },
        limit: most,
        ...(asOf !== undefined && { asOf }),
      })
      const others = all.filter((record) => !seen.has(String(record[keyField])))
      const found = new Map([...others, ...recordsOf(seen)].map((record) => [lapsed(record, collection, asOf), record]))
      const meeting = [...found.keys()].filter((record) => meets(record, conditions))
      const page = sorted(meeting, field, keyField, direction).slice(offset, offset + limit)
      return page.map((record) => found.get(record)!)
    },
    async count(where = {}, asOf) {
      const counted = await inner.count(where, asOf)
      const seen = await findSeen()
      const conditions = conditionsOf(where)
      if (seen.size === 0 || !conditions) return counted
      const countOf = (records: readonly Stored[]) =>
        records.filter((record) => meets(lapsed(record, collection, asOf), conditions)).length
      const current = await inner.find({ where: { [keyField]: [...seen.keys()] } })
      return counted - countOf(current) + countOf(recordsOf(seen))
    },
  }
}

function recordsOf(seen: ReadonlyMap<string, Stored | undefined>): Stored[] {
  return [...seen.values()].filter((record) => record !== undefined)
}

/** Rules see everything at once; the earlier state is kept in the same transaction. */
function writerOf(tx: Transaction, name: CollectionName, options: ReplicaOptions): StoredWriter {
  const { key: keyField } = collectionOf(name)
  const inner = tx.collection(name) as StoredWriter
  return {
    ...inner,
    async put(record) {
      await keepBefore(tx, name, String(record[keyField]), inner, options)
      await inner.put(record)
    },
    async delete(key) {
      await keepBefore(tx, name, key, inner, options)
      return inner.delete(key)
    },
  }
}
