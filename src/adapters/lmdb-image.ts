import { UnusableState } from '../ports.ts'
import { type CollectionName, collections } from '../schemas/collections.ts'
import { SNAPSHOT_VERSION } from '../schemas/snapshot-migrations.ts'
import type { DataDirectory } from './data-directory.ts'
import type { WorldRecord } from './engine.ts'
import type { LmdbFile, Write } from './lmdb-file.ts'
import { housePrefix, readKey, recordKey, worldKey } from './lmdb-keys.ts'
import { type RecordLists, migrateWorld } from './world-migration.ts'
import type { Stored } from './sorted-records.ts'

/** A world as the file has it. */
export interface Kept {
  record: WorldRecord
  house: number
  /** Of its records, where the directory's may not be true any more: an upgrade may have been cut off. */
  schemaVersion?: number
}

/** What the data file holds, as values. */
export interface Image {
  worlds: Map<string, Kept>
  /** By house. */
  records: Map<number, RecordLists>
  lastHouse: number
}

/** Reads the file whole; brings older records up to date, and sweeps what worlds left that are gone. */
export async function readImage(file: LmdbFile, directory: DataDirectory): Promise<Image> {
  const image: Image = { worlds: new Map(), records: new Map(), lastHouse: 0 }
  if (directory.schemaVersion === undefined) {
    await file.write([])
    await directory.setComplete()
    return image
  }
  file.read((key, text) => take(image, key, text))
  const writes = dropHomeless(image, file)
  writes.push(...migrate(image, file, directory.schemaVersion))
  if (writes.length > 0) await file.write(writes)
  await directory.setComplete()
  return image
}

function take({ worlds, records }: Image, key: string, text: string): void {
  const place = readKey(key)
  if (!place) throw new UnusableState(`the data file holds something unknown: ${key.split('\0').join(' ')}`)
  const value = JSON.parse(text) as Stored
  if ('world' in place) {
    worlds.set(place.world, value as unknown as Kept)
    return
  }
  const { house, collection } = place
  if (!records.has(house)) records.set(house, new Map())
  const lists = records.get(house)!
  const list = lists.get(collection)
  if (list) list.push(value)
  else lists.set(collection, [value])
}

/** A world that was replaced or deleted as the process ended. */
function dropHomeless(image: Image, file: LmdbFile): Write[] {
  const homes = new Set([...image.worlds.values()].map(({ house }) => house))
  const homeless = [...image.records.keys()].filter((house) => !homes.has(house))
  image.lastHouse = Math.max(0, ...homes, ...homeless)
  for (const house of homeless) image.records.delete(house)
  return homeless.flatMap((house) => file.keys(housePrefix(house)).map((key): Write => [key, undefined]))
}

export function writeWorld({ record, house }: Kept): Write {
  return [worldKey(record.plan.name), JSON.stringify({ record, house, schemaVersion: SNAPSHOT_VERSION })]
}

function migrate(image: Image, file: LmdbFile, ofDirectory: number): Write[] {
  return [...image.worlds.values()].flatMap((kept) => {
    const { house, schemaVersion = ofDirectory } = kept
    if (schemaVersion === SNAPSHOT_VERSION) return []
    const migrated = migrateWorld(kept.record, image.records.get(house) ?? new Map(), schemaVersion)
    kept.record = migrated.record
    image.records.set(house, migrated.records)
    const old = file.keys(housePrefix(house)).map((key): Write => [key, undefined])
    const lists = [...migrated.records].flatMap(([collection, list]) =>
      list.map((each) => write(house, collection, each)),
    )
    return [...old, writeWorld(kept), ...lists]
  })
}

function write(house: number, collection: CollectionName, record: Stored): Write {
  return [recordKey(house, collection, String(record[collections[collection].key])), JSON.stringify(record)]
}
