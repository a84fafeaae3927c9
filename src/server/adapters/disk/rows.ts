import { crc32 } from 'node:zlib'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import type { PlatformEvent } from '#server/ports/bus.ts'
import type { Stored } from '../record.ts'
import type { Row, SqlValue, Step } from './database.ts'

export interface BaseBody {
  /** `dated` lists the collections whose dates are stored relative to the start of a world. */
  pattern?: { digest: string; dated: readonly CollectionName[] }
}

export const PUT_IMAGE = 'REPLACE INTO images VALUES (?, ?, ?)'
/** Writes a record of maximum size and deletes it. World -1 never exists, so a server start removes a leftover row. */
export const PROBE: readonly Step[] = [
  ["REPLACE INTO images VALUES (-1, 'probe', zeroblob(65536))"],
  ['DELETE FROM images WHERE world = -1'],
]

export function putRecord(owner: number, name: CollectionName, record: Stored): Step {
  return putRow(owner, name, String(record[collections[name].key]), JSON.stringify(record))
}

/** Marks a record of the base as deleted in this world. */
export function putAbsence(world: number, name: CollectionName, key: string): Step {
  return putRow(world, name, key, ABSENCE)
}

const ABSENCE = 'null'

function putRow(owner: number, name: CollectionName, key: string, body: string): Step {
  return ['REPLACE INTO records VALUES (?, ?, ?, ?, ?)', ...withChecksum(owner, name, toKey(key), body)]
}

export function removeRecord(world: number, name: CollectionName, key: string): Step {
  return ['DELETE FROM records WHERE world = ? AND collection = ? AND key = ?', world, name, toKey(key)]
}

export function readKey(row: Row): string {
  return JSON.parse(`"${String(row['key'])}"`) as string
}

/** If `event` is null, `sequence` is the number before the world's first event. */
export function putEvent(world: number, sequence: number, event: PlatformEvent | null): Step {
  return ['REPLACE INTO events VALUES (?, ?, ?, ?)', ...withChecksum(world, sequence, JSON.stringify(event))]
}

export function putWorld(name: string, id: number, body: string): Step {
  return ['REPLACE INTO worlds VALUES (?, ?, ?, ?)', ...withChecksum(name, id, body)]
}

/** Has no effect if another world with the same name has already replaced this one. */
export function putWorldAgain(name: string, id: number, body: string): Step {
  const sql = 'UPDATE worlds SET name = ?, id = ?, body = ?, checksum = ? WHERE id = ?'
  return [sql, ...withChecksum(name, id, body), id]
}

export function putBase(id: number, body: BaseBody): Step {
  return ['REPLACE INTO bases VALUES (?, ?, ?)', ...withChecksum(id, JSON.stringify(body))]
}

export function removeBase(id: number): Step[] {
  return [['DELETE FROM bases WHERE id = ?', id], ...removeRows(id)]
}

export function removeWorldRows(world: number): Step[] {
  return [...removeRows(world), ['DELETE FROM events WHERE world = ?', world]]
}

function removeRows(owner: number): Step[] {
  return ['records', 'images'].map((table) => [`DELETE FROM ${table} WHERE world = ?`, owner])
}

export function readBody(row: Row): unknown {
  const values = Object.values(row)
  if (withChecksum(...values.slice(0, -1)).at(-1) === values.at(-1)) return JSON.parse(String(row['body']))
  const { name, id, world, collection, key, sequence } = row
  const about = [name ?? id ?? world, collection, key ?? sequence].join(' ')
  throw new Error(`a row does not match its checksum: ${about}`)
}

function withChecksum(...values: SqlValue[]): SqlValue[] {
  return [...values, crc32(values.join('\0'))]
}

/** Escapes the key as in JSON, because SQLite cannot store every JavaScript string. */
function toKey(key: string): string {
  return JSON.stringify(key).slice(1, -1)
}
