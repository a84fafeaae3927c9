import { createHash } from 'node:crypto'
import { type CollectionName, collectionNames } from '#contract/records/collections.ts'
import { toBytes, toEqual, toOrder } from './values.ts'
import { collectionOf, type Stored, readField } from '../record.ts'

/** All tables are in this schema, so that they do not affect other tables in a shared database. */
export const SCHEMA = 'vendor_cloud'

export const table = (name: CollectionName): string =>
  `${SCHEMA}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_records`
export const equalColumn = (field: string): string => `"is_${field}"`
export const orderColumn = (field: string): string => `"by_${field}"`

export function fieldsOf(name: CollectionName): { equal: readonly string[]; order: readonly string[] } {
  const { key, indexes } = collectionOf(name)
  const others = (fields: readonly string[]) => [...new Set(fields)].filter((field) => field !== key)
  return {
    equal: others(indexes.flatMap(({ on }) => on)),
    order: others(indexes.flatMap(({ orderBy = [] }) => orderBy)),
  }
}

export function columnsOf(name: CollectionName, record: Stored): [column: string, value: string | Buffer | null][] {
  const { equal, order } = fieldsOf(name)
  return [
    ['key', toBytes(String(record[collectionOf(name).key]))],
    ['body', JSON.stringify(record)],
    ...equal.map((field) => [equalColumn(field), toEqual(record[field])] as [string, Buffer | null]),
    ...order.map((field) => [orderColumn(field), toOrder(readField(record, field))] as [string, Buffer]),
  ]
}

const DEFERRED = 'DEFERRABLE INITIALLY DEFERRED'

/** All these statements can safely be repeated. */
export const layout: readonly string[] = [
  `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.about (name text PRIMARY KEY, value text NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.worlds
    (name text PRIMARY KEY, house bigint NOT NULL UNIQUE, body text NOT NULL, events_base bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.clocks
    (house bigint PRIMARY KEY, body text NOT NULL, moves bigint NOT NULL DEFAULT 0)`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.images
    (house bigint, digest text, bytes bytea NOT NULL, PRIMARY KEY (house, digest))`,
  `CREATE SEQUENCE IF NOT EXISTS ${SCHEMA}.event_sequence`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.events (world bigint, sequence bigint, payload text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (world, sequence))`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.instances
    (instance text PRIMARY KEY, alive_at timestamptz NOT NULL, followed bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.claims (world bigint, subscription text, token text NOT NULL,
    generation bigint NOT NULL, instance text NOT NULL REFERENCES ${SCHEMA}.instances ON DELETE CASCADE,
    PRIMARY KEY (world, subscription), UNIQUE (world, token))`,
  ...collectionNames.flatMap(layoutOf),
]

/** Number of primary keys, unique constraints and foreign keys. A dump contains them last. */
export const constraintCount = layout.join().match(/PRIMARY KEY|UNIQUE|REFERENCES/g)!.length

export const layoutDigest = createHash('sha256').update(layout.join(';')).digest('hex')

function layoutOf(name: CollectionName): string[] {
  const { equal, order } = fieldsOf(name)
  const { indexes } = collectionOf(name)
  const columns = [
    ...equal.map((field) => `${equalColumn(field)} bytea, `),
    ...order.map((field) => `${orderColumn(field)} bytea NOT NULL, `),
    ...indexes.flatMap(({ on, unique }) => (unique ? [`UNIQUE (house, ${on.map(equalColumn)}) ${DEFERRED}, `] : [])),
  ]
  return [
    `CREATE TABLE IF NOT EXISTS ${table(name)}
      (house bigint NOT NULL, key bytea NOT NULL, body text NOT NULL, ${columns.join('')}PRIMARY KEY (house, key))`,
    ...indexesOf(name),
  ]
}

function indexesOf(name: CollectionName): string[] {
  const { key, indexes } = collectionOf(name)
  return indexes.flatMap(({ on, orderBy = [key] }) => {
    const found = ['house', ...on.map((field) => (field === key ? 'key' : equalColumn(field)))]
    const ordered = orderBy.map((field) => [...found, ...(field === key ? [] : [orderColumn(field)]), 'key'])
    return ordered.map(
      (columns) => `CREATE INDEX IF NOT EXISTS ${nameOf(name, columns)} ON ${table(name)} (${columns})`,
    )
  })
}

/** PostgreSQL truncates names to 63 characters, so the name contains a digest instead of a long list of columns. */
function nameOf(name: CollectionName, columns: readonly string[]): string {
  return `"${name}_${createHash('sha256').update(columns.join()).digest('hex').slice(0, 12)}"`
}
