import { join } from 'node:path'
import { type Blobs, type Digests, WorldEnded } from '../../ports.ts'
import { type CollectionName, collectionNames, collections } from '../../schemas/collections.ts'
import { SNAPSHOT_VERSION } from '../../schemas/snapshot-migrations.ts'
import type { Engine, Housing, WorldContent, WorldRecord } from '../engine.ts'
import { readSource, type Stored, type WorldRecords } from '../record.ts'
import { migrateWorld } from '../world-migration.ts'
import type { Changes } from '../memory/tables.ts'
import {
  DATA_FILE,
  openDataFile,
  putImage,
  putRecords,
  putWorld,
  readBody,
  refusal,
  removeImage,
  removeRecords,
} from './data-file.ts'
import type { DatabaseThread, Step } from './database-thread.ts'
import { createWriteThroughStore } from './store.ts'

/** Records written or read at once: few enough that nothing else waits long. */
const SLICE = 500

interface Kept {
  id: number
  record: WorldRecord
  schemaVersion: number
}

type RecordLists = Map<CollectionName, Stored[]>

/** Worlds in one SQLite file of a directory, for one process at a time: records are served from memory. */
export async function createDiskEngine(directory: string, digests: Digests): Promise<Engine> {
  const file = await openDataFile(directory)
  try {
    const engine = new DiskEngine(file)
    await engine.read(digests)
    return engine
  } catch (error) {
    await file.close()
    throw refusal(join(directory, DATA_FILE), error)
  }
}

class DiskEngine implements Engine {
  readonly installation = 'this machine'
  readonly #file: DatabaseThread
  readonly #worlds = new Map<string, Kept>()
  /** Of worlds that have not been opened, by number. */
  readonly #records = new Map<number, RecordLists>()
  #lastId = 0

  constructor(file: DatabaseThread) {
    this.#file = file
  }

  /** Reads the whole file; what is left of worlds that are gone is removed, and older records are brought up to date. */
  async read(digests: Digests): Promise<void> {
    for (const row of await this.#file.read('SELECT name, id, body, checksum FROM worlds')) {
      this.#worlds.set(String(row['name']), { ...(readBody(row) as Omit<Kept, 'id'>), id: Number(row['id']) })
    }
    const worlds = new Set([...this.#worlds.values()].map(({ id }) => id))
    const gone = await this.#readRecords(worlds)
    this.#lastId = Math.max(0, ...worlds, ...gone)
    for (const id of gone) await this.#removeWorld(id)
    await this.#checkImages(digests)
    for (const kept of this.#worlds.values()) if (kept.schemaVersion !== SNAPSHOT_VERSION) await this.#migrate(kept)
  }

  list(): WorldRecord[] {
    return [...this.#worlds.values()].map(({ record, id }) => ({ ...record, id: String(id) }))
  }

  async open(name: string): Promise<Housing> {
    const kept = this.#worlds.get(name)
    if (!kept) throw new WorldEnded(name)
    const records = this.#records.get(kept.id)
    this.#records.delete(kept.id)
    return this.#house(name, kept.id, records ?? new Map())
  }

  async create(record: WorldRecord, content: WorldContent, { replace = false } = {}): Promise<Housing | undefined> {
    const { name } = record.plan
    if (this.#worlds.has(name) && !replace) return undefined
    const id = ++this.#lastId
    const records = new Map(Array.from(content.records, ([each, source]) => [each, readSource(source)] as const))
    const kept: Kept = { id, record, schemaVersion: SNAPSHOT_VERSION }
    try {
      for (const [digest, bytes] of content.blobs) await this.#file.write([putImage(id, digest, bytes)])
      for (const slice of slicesOf(records)) await this.#file.write([putRecords(id, slice)])
      // Only now it is a world: what was cut off before is removed by the next start.
      await this.#file.write([toStep(name, kept)])
    } catch (error) {
      await this.#removeWorld(id).catch(() => {})
      throw error
    }
    this.#worlds.set(name, kept)
    return this.#house(name, id, records)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  abandon(): Promise<void> {
    return this.#file.close()
  }

  #house(name: string, id: number, records: WorldRecords): Housing {
    let isOpen = true
    const write = async (steps: readonly Step[]) => {
      if (!isOpen) throw new WorldEnded(name)
      await this.#file.write(steps)
    }
    const ping = async () => void (await this.#file.read('SELECT 1'))
    const store = createWriteThroughStore({ records, persist: (batch) => write(toSteps(id, batch)), ping })
    const blobs: Blobs = {
      put: (digest, bytes) => write([putImage(id, digest, bytes)]),
      get: (digest) => this.#readImage(id, digest),
      delete: (digest) => write([removeImage(id, digest)]),
    }
    const close = async () => {
      await store.close()
      isOpen = false
    }
    return {
      id: String(id),
      store,
      blobs,
      saveClock: async (clock) => {
        const kept = this.#worlds.get(name)
        if (kept?.id !== id) throw new WorldEnded(name)
        const record = { ...kept.record, clock }
        await write([toStep(name, { ...kept, record })])
        kept.record = record
        return undefined
      },
      ping,
      close,
      discard: async () => {
        await close()
        try {
          await this.#forget(name, id)
        } catch (error) {
          isOpen = true
          throw error
        }
      },
    }
  }

  async #forget(name: string, id: number): Promise<void> {
    if (this.#worlds.get(name)?.id === id) {
      await this.#file.write([['DELETE FROM worlds WHERE name = ? AND id = ?', [[name, id]]]])
      this.#worlds.delete(name)
    }
    // A start removes what cannot be removed now.
    await this.#removeWorld(id).catch(() => {})
  }

  /** In slices, so that the writes of other worlds need not wait for all of it. */
  async #removeWorld(id: number): Promise<void> {
    for (const [table, key] of [
      ['records', 'collection, key'],
      ['images', 'digest'],
    ]) {
      const some = `SELECT ${key} FROM ${table} WHERE world = ? LIMIT ${SLICE}`
      while ((await this.#file.read(`SELECT 1 FROM ${table} WHERE world = ? LIMIT 1`, id)).length > 0) {
        await this.#file.write([[`DELETE FROM ${table} WHERE world = ? AND (${key}) IN (${some})`, [[id, id]]]])
      }
    }
  }

  /** Gives the numbers of worlds that are gone. The next slice is read while this one is taken apart. */
  async #readRecords(worlds: ReadonlySet<number>): Promise<Set<number>> {
    const gone = new Set<number>()
    const columns = 'world, collection, key, body, checksum'
    const order = `ORDER BY world, collection, key LIMIT ${4 * SLICE}`
    const next = `SELECT ${columns} FROM records WHERE (world, collection, key) > (?, ?, ?) ${order}`
    let rows = await this.#file.read(next, -1, '', '')
    while (rows.length > 0) {
      const last = rows.at(-1)!
      const following = this.#file.read(next, last['world']!, last['collection']!, last['key']!)
      following.catch(() => {})
      for (const row of rows) {
        const world = Number(row['world'])
        if (worlds.has(world)) this.#listOf(world, String(row['collection'])).push(readBody(row) as Stored)
        else gone.add(world)
      }
      rows = await following
    }
    return gone
  }

  #listOf(world: number, collection: string): Stored[] {
    if (!Object.hasOwn(collections, collection)) throw new Error(`it holds something unknown: ${collection}`)
    if (!this.#records.has(world)) this.#records.set(world, new Map())
    const lists = this.#records.get(world)!
    const name = collection as CollectionName
    if (!lists.has(name)) lists.set(name, [])
    return lists.get(name)!
  }

  /** Makes sure of the images that records name; others were never acknowledged, or are of worlds that are gone. */
  async #checkImages({ sha256 }: Digests): Promise<void> {
    const named = new Set<string>()
    for (const [world, lists] of this.#records) {
      for (const image of lists.get('symptomImages') ?? []) named.add(`${world} ${String(image['sha256'])}`)
    }
    for (const row of await this.#file.read('SELECT world, digest FROM images')) {
      const [world, digest] = [Number(row['world']), String(row['digest'])]
      if (!named.delete(`${world} ${digest}`)) await this.#file.write([removeImage(world, digest)])
      else if (sha256((await this.#readImage(world, digest))!) !== digest) {
        throw new Error(`the image ${digest} is not what was written`)
      }
    }
    for (const each of named) throw new Error(`the image ${each} is missing`)
  }

  async #readImage(world: number, digest: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#file.read('SELECT bytes FROM images WHERE world = ? AND digest = ?', world, digest)
    return row?.['bytes'] as Uint8Array | undefined
  }

  async #migrate(kept: Kept): Promise<void> {
    const { record, records } = migrateWorld(kept.record, this.#records.get(kept.id) ?? new Map(), kept.schemaVersion)
    Object.assign(kept, { record, schemaVersion: SNAPSHOT_VERSION })
    this.#records.set(kept.id, records)
    const all = [...slicesOf(records)].map((slice) => putRecords(kept.id, slice))
    const old: Step = ['DELETE FROM records WHERE world = ?', [[kept.id]]]
    await this.#file.write([old, ...all, toStep(record.plan.name, kept)])
  }
}

function toStep(name: string, { id, record, schemaVersion }: Kept): Step {
  return putWorld(name, id, JSON.stringify({ record, schemaVersion }))
}

/** What came last for a record counts. */
function toSteps(world: number, batch: readonly Changes[]): Step[] {
  const puts: [CollectionName, Stored][] = []
  const removed: [CollectionName, string][] = []
  for (const name of collectionNames) {
    const last = new Map(batch.flatMap((changes) => [...(changes.get(name) ?? [])]))
    for (const [key, record] of last) {
      if (record) puts.push([name, record])
      else removed.push([name, key])
    }
  }
  return [putRecords(world, puts), removeRecords(world, removed)]
}

function* slicesOf(records: ReadonlyMap<CollectionName, readonly Stored[]>): Generator<[CollectionName, Stored][]> {
  let slice: [CollectionName, Stored][] = []
  for (const [name, list] of records) {
    for (const record of list) {
      slice.push([name, record])
      if (slice.length === SLICE) {
        yield slice
        slice = []
      }
    }
  }
  if (slice.length > 0) yield slice
}
