import type { CollectionName } from '#contract/records/collections.ts'
import type { Query, Where } from '#server/ports/store.ts'
import { forEachYielding } from '#server/ports/yielding.ts'
import { collectionOf, deepFreeze, type Stored, type StoredReader, sorted } from '../record.ts'
import { columnsOf, equalColumn, fieldsOf, orderColumn, table } from './layout.ts'
import type { Ask } from './session.ts'
import { toBytes, toOrder } from './values.ts'

export function readerOver(name: CollectionName, world: string, ask: Ask): StoredReader {
  return {
    async get(key: string): Promise<Stored | undefined> {
      return (await getRecords(name, world, [key], ask)).get(key)
    },
    async find(query: Query<CollectionName> = {}): Promise<Stored[]> {
      const { key } = collectionOf(name)
      const { where = {}, orderBy = { field: key, direction: 'asc' }, offset = 0, limit = Infinity, upTo } = query
      const { text, values } = conditionsOf(name, world, where)
      const { field, direction } = orderBy
      const isIndexed = field === key || fieldsOf(name).order.includes(field)
      const column = orderColumn(field)
      const by = field === key ? 'key' : `${column} ${direction}, key`
      const range = upTo === undefined ? '' : ` AND ${column} > '\\x00' AND ${column} <= $${values.push(toOrder(upTo))}`
      const page = ` LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
      const order = isIndexed ? ` ORDER BY ${by} ${direction}${page}` : ''
      const pageValues = isIndexed ? [limit === Infinity ? null : Math.max(0, limit), offset] : []
      const { rows } = await ask(`SELECT body FROM ${table(name)} WHERE ${text}${range}${order}`, [
        ...values,
        ...pageValues,
      ])
      const records: Stored[] = []
      await forEachYielding(rows, (row) => void records.push(toRecord(row)))
      return isIndexed ? records : sorted(records, field, key, direction).slice(offset, offset + limit)
    },
    async count(where: Where<CollectionName> = {}): Promise<number> {
      const { text, values } = conditionsOf(name, world, where)
      const { rows } = await ask(`SELECT count(*) AS count FROM ${table(name)} WHERE ${text}`, values)
      return Number((rows[0] as { count: string }).count)
    },
  }
}

function conditionsOf(name: CollectionName, world: string, where: Where<CollectionName>) {
  const { key } = collectionOf(name)
  const values: unknown[] = [world]
  const conditions = ['house = $1']
  for (const [field, value] of Object.entries(where)) {
    if (value === undefined) continue
    const column = field === key ? 'key' : equalColumn(field)
    const allowed = (Array.isArray(value) ? value : [value]).map((each) => toBytes(String(each)))
    values.push(allowed.length === 1 ? allowed[0] : allowed)
    conditions.push(`${column} = ${allowed.length === 1 ? '' : 'ANY'}($${values.length})`)
  }
  return { text: conditions.join(' AND '), values }
}

export async function getRecords(
  name: CollectionName,
  world: string,
  keys: readonly string[],
  ask: Ask,
): Promise<Map<string, Stored>> {
  const { key } = collectionOf(name)
  const { text, values } = conditionsOf(name, world, { [key]: keys })
  const { rows } = await ask(`SELECT body FROM ${table(name)} WHERE ${text}`, values)
  const records = rows.map(toRecord)
  return new Map(records.map((record) => [String(record[key]), record]))
}

export async function putRecord(name: CollectionName, world: string, record: Stored, ask: Ask): Promise<void> {
  const columns = columnsOf(name, record)
  const names = columns.map(([column]) => column)
  const places = columns.map((_, i) => `$${i + 2}`)
  const changes = names.slice(1).map((column) => `${column} = excluded.${column}`)
  const text =
    `INSERT INTO ${table(name)} (house, ${names}) VALUES ($1, ${places}) ` +
    `ON CONFLICT (house, key) DO UPDATE SET ${changes}`
  await ask(text, [world, ...columns.map(([, value]) => value)])
}

const AT_ONCE = 200

/** In batches, because 100,000 records at once would block the event loop until connections time out. */
export async function putNewRecords(
  name: CollectionName,
  world: string,
  records: Iterable<Stored>,
  ask: Ask,
): Promise<void> {
  const put = async (rows: readonly ReturnType<typeof columnsOf>[]) => {
    const names = rows[0]!.map(([column]) => column)
    const values = rows.flatMap((row) => row.map(([, value]) => value))
    const lines = rows.map((row, i) => `($1, ${row.map((_, j) => `$${i * row.length + j + 2}`)})`)
    await ask(`INSERT INTO ${table(name)} (house, ${names}) VALUES ${lines}`, [world, ...values])
  }
  let rows: ReturnType<typeof columnsOf>[] = []
  for (const record of records) {
    rows.push(columnsOf(name, record))
    if (rows.length < AT_ONCE) continue
    await put(rows)
    rows = []
  }
  if (rows.length > 0) await put(rows)
}

export async function deleteRecord(name: CollectionName, world: string, key: string, ask: Ask): Promise<boolean> {
  const { rowCount } = await ask(`DELETE FROM ${table(name)} WHERE house = $1 AND key = $2`, [world, toBytes(key)])
  return rowCount === 1
}

function toRecord(row: unknown): Stored {
  return deepFreeze(JSON.parse((row as { body: string }).body) as Stored)
}
