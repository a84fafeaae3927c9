import { crc32 } from 'node:zlib'
import { type CollectionName, collections } from '../../schemas/collections.ts'
import type { Stored } from '../record.ts'
import type { Row, SqlValue, Step } from './database.ts'

export const PUT_IMAGE = 'REPLACE INTO images VALUES (?, ?, ?)'

export function putRecord(world: number, name: CollectionName, record: Stored): Step {
  const [key, body] = [toKey(String(record[collections[name].key])), JSON.stringify(record)]
  return ['REPLACE INTO records VALUES (?, ?, ?, ?, ?)', ...withChecksum(world, name, key, body)]
}

export function removeRecord(world: number, name: CollectionName, key: string): Step {
  return ['DELETE FROM records WHERE world = ? AND collection = ? AND key = ?', world, name, toKey(key)]
}

export function putWorld(name: string, id: number, body: string): Step {
  return ['REPLACE INTO worlds VALUES (?, ?, ?, ?)', ...withChecksum(name, id, body)]
}

/** Changes nothing where another world has taken its place meanwhile. */
export function putWorldAgain(name: string, id: number, body: string): Step {
  const sql = 'UPDATE worlds SET name = ?, id = ?, body = ?, checksum = ? WHERE id = ?'
  return [sql, ...withChecksum(name, id, body), id]
}

/** What is left of a world that is gone. */
export function removeRows(world: number): Step[] {
  return ['records', 'images'].map((table) => [`DELETE FROM ${table} WHERE world = ?`, world])
}

/** What is in the body of a row, when the row is what was written. */
export function readBody(row: Row): unknown {
  const values = Object.values(row)
  if (withChecksum(...values.slice(0, -1)).at(-1) === values.at(-1)) return JSON.parse(String(row['body']))
  throw new Error(`a row is not what was written: ${[row['name'], row['collection'], row['key']].join(' ')}`)
}

function withChecksum(...values: SqlValue[]): SqlValue[] {
  return [...values, crc32(values.join('\0'))]
}

/** As in JSON, where every text has characters that can be written. */
function toKey(key: string): string {
  return JSON.stringify(key).slice(1, -1)
}
