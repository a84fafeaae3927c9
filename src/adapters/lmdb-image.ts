import { UnusableState } from '../ports.ts'
import { type CollectionName, collections } from '../schemas/collections.ts'
import { migrateSnapshot, SNAPSHOT_VERSION } from '../schemas/snapshot-migrations.ts'
import type { DataDirectory } from './data-directory.ts'
import type { WorldRecord } from './engine.ts'
import type { LmdbFile, Write } from './lmdb-file.ts'
import { housePrefix, readKey, recordKey, worldKey } from './lmdb-keys.ts'
import type { Stored } from './sorted-records.ts'

/** What the data file holds, as values. */
export interface Image {
  worlds: Map<string, { record: WorldRecord; house: number }>
  /** By house. */
  records: Map<number, HouseRecords>
  lastHouse: number
}

export type HouseRecords = Map<CollectionName, Stored[]>

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
  if (directory.schemaVersion < SNAPSHOT_VERSION) writes.push(...migrate(image, file, directory.schemaVersion))
  if (writes.length > 0) await file.write(writes)
  await directory.setComplete()
  return image
}

function take({ worlds, records }: Image, key: string, text: string): void {
  const place = readKey(key)
  if (!place) throw new UnusableState(`the data file holds something unknown: ${key.split('\0').join(' ')}`)
  const value = JSON.parse(text) as Stored
  if ('world' in place) {
    worlds.set(place.world, value as unknown as { record: WorldRecord; house: number })
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

/** Older records take the steps that older snapshots take. */
function migrate(image: Image, file: LmdbFile, schemaVersion: number): Write[] {
  return [...image.worlds].flatMap(([name, kept]) => {
    const { record, house } = kept
    const records = Object.fromEntries(image.records.get(house) ?? [])
    const migrated = migrateSnapshot({ schemaVersion, clock: record.clock, faults: [], records, blobs: {} })
    if ('reason' in migrated) throw new UnusableState(`the records of ${name} cannot be read: ${migrated.reason}`)
    const value = migrated.value as Pick<WorldRecord, 'clock'> & { records: Record<CollectionName, unknown[]> }
    kept.record = { ...record, clock: value.clock }
    const lists = Object.entries(value.records).map(([collection, list]) => {
      return [collection as CollectionName, list.map((each) => check(collection as CollectionName, each))] as const
    })
    image.records.set(house, new Map(lists))
    const old = file.keys(housePrefix(house)).map((key): Write => [key, undefined])
    const world: Write = [worldKey(name), JSON.stringify(kept)]
    return [...old, world, ...lists.flatMap(([collection, list]) => list.map((each) => write(house, collection, each)))]
  })
}

function check(collection: CollectionName, value: unknown): Stored {
  const result = collections[collection].schema.safeParse(value)
  if (result.success) return result.data as Stored
  throw new UnusableState(`a record of ${collection} cannot be brought up to date: ${result.error.message}`)
}

function write(house: number, collection: CollectionName, record: Stored): Write {
  return [recordKey(house, collection, String(record[collections[collection].key])), JSON.stringify(record)]
}
