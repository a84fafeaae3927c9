import { UnusableState } from '../../ports.ts'
import type { CollectionName } from '../../schemas/collections.ts'
import { SNAPSHOT_VERSION } from '../../schemas/snapshot-migrations.ts'
import type { DataDirectory } from './data-directory.ts'
import type { WorldRecord } from '../engine.ts'
import type { LmdbFile, Write } from './lmdb-file.ts'
import { collectionPrefix, housePrefix, readKey, toWrite, worldKey } from './keys.ts'
import type { Stored } from '../record.ts'
import { migrateWorld } from '../world-migration.ts'

export type EntryLists = Map<CollectionName, Stored[]>

/** A world as the file has it. */
export interface Kept {
  record: WorldRecord
  house: number
  /** Of its records, where the directory's may not be true any more: an upgrade may have been cut off. */
  schemaVersion?: number
}

/** What the data file holds. */
export interface Image {
  worlds: Map<string, Kept>
  /** By house. */
  records: Map<number, EntryLists>
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
  file.read(readerInto(image))
  const writes = dropHomeless(image, file)
  writes.push(...migrate(image, file, directory.schemaVersion))
  if (writes.length > 0) await file.write(writes)
  await directory.setComplete()
  return image
}

/** Puts each thing in its place. Records of one collection follow one another, so most need not look for theirs. */
function readerInto({ worlds, records }: Image): (key: string, text: Buffer) => void {
  let last: { prefix: string; list: Stored[] } | undefined
  return (key, text) => {
    if (last && key.startsWith(last.prefix)) {
      last.list.push(JSON.parse(text.toString()) as Stored)
      return
    }
    const place = readKey(key)
    if (!place) throw new UnusableState(`the data file holds something unknown: ${key.split('\0').join(' ')}`)
    if ('world' in place) {
      worlds.set(place.world, JSON.parse(text.toString()) as Kept)
      return
    }
    const { house, collection } = place
    const list: Stored[] = [JSON.parse(text.toString()) as Stored]
    if (!records.has(house)) records.set(house, new Map())
    records.get(house)!.set(collection, list)
    last = { prefix: collectionPrefix(house, collection), list }
  }
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
    const lists = Array.from(image.records.get(house) ?? [])
    const migrated = migrateWorld(kept.record, new Map(lists), schemaVersion)
    kept.record = migrated.record
    image.records.set(house, migrated.records)
    const old = file.keys(housePrefix(house)).map((key): Write => [key, undefined])
    const writes = [...migrated.records].flatMap(([collection, list]) =>
      list.map((each) => toWrite(house, collection, each)),
    )
    return [...old, writeWorld(kept), ...writes]
  })
}
