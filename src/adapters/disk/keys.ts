import { createHash } from 'node:crypto'
import { type CollectionName, collectionNames, collections } from '../../schemas/collections.ts'
import type { Write } from './lmdb-file.ts'
import type { Changes } from '../memory/tables.ts'
import type { Stored } from '../record.ts'

/** LMDB takes keys of up to 1,978 bytes. */
const LONGEST_KEY = 1500
const known: ReadonlySet<string> = new Set(collectionNames)

export function toWrite(house: number, name: CollectionName, record: Stored): Write {
  return [recordKey(house, name, String(record[collections[name].key])), JSON.stringify(record)]
}

/** Where a record lies: each world has a number of its own, a world that replaces another a new one. */
function recordKey(house: number, name: CollectionName, key: string): string {
  return `${collectionPrefix(house, name)}${toShort(key)}`
}

export const housePrefix = (house: number): string => `record\0${house}\0`
export const collectionPrefix = (house: number, name: CollectionName): string => `${housePrefix(house)}${name}\0`
export const worldKey = (name: string): string => `world\0${name}`

/** What a key is of; nothing for a collection that nobody knows. */
export function readKey(text: string): { world: string } | { house: number; collection: CollectionName } | undefined {
  const [kind, first = '', collection = ''] = text.split('\0', 3)
  if (kind === 'world') return { world: first }
  if (kind !== 'record' || !known.has(collection)) return undefined
  return { house: Number(first), collection: collection as CollectionName }
}

export function toWrites(house: number, batch: readonly Changes[]): Write[] {
  return batch.flatMap((changes) =>
    [...changes].flatMap(([name, records]) =>
      Array.from(records, ([key, record]): Write => {
        return record ? toWrite(house, name, record) : [recordKey(house, name, key), undefined]
      }),
    ),
  )
}

/** The record itself holds its key, so that a long or an unwritable one needs no room here. */
function toShort(key: string): string {
  if (!/\p{Surrogate}/u.test(key) && Buffer.byteLength(key) <= LONGEST_KEY) return `=${key}`
  return `#${createHash('sha256').update(JSON.stringify(key)).digest('hex')}`
}
