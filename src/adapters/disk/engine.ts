import { join } from 'node:path'
import { type Blobs, type Digests, WorldEnded } from '../../ports.ts'
import { type CollectionName, collections } from '../../schemas/collections.ts'
import { SNAPSHOT_VERSION } from '../../schemas/snapshot-migrations.ts'
import type { Engine, WorldStorage, WorldContent, WorldRecord } from '../engine.ts'
import { createMemoryStore } from '../memory/store.ts'
import type { Changes } from '../memory/tables.ts'
import { readSource, type Stored, type WorldRecords } from '../record.ts'
import { migrateWorld } from '../world-migration.ts'
import { DATA_FILE, openDataFile, refusal } from './data-file.ts'
import type { Database, Step } from './database.ts'
import { PUT_IMAGE, putRecord, putWorld, putWorldAgain, readBody, removeRecord, removeRows } from './rows.ts'

/** Records written or read at once: few enough that nothing else waits long. */
const SLICE = 500

interface StoredWorld {
  id: number
  record: WorldRecord
  schemaVersion: number
  /** What was read of it, until it is opened. */
  records?: Map<CollectionName, Stored[]>
}

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
  readonly #file: Database
  readonly #worlds = new Map<string, StoredWorld>()
  #lastId = 0

  constructor(file: Database) {
    this.#file = file
  }

  /** Reads the whole file; removes what is left of worlds that are gone, and brings older records up to date. */
  async read({ sha256 }: Digests): Promise<void> {
    for (const row of await this.#file.read('SELECT name, id, body, checksum FROM worlds')) {
      const { record, schemaVersion } = readBody(row) as Omit<StoredWorld, 'id'>
      this.#worlds.set(record.plan.name, { id: Number(row['id']), record, schemaVersion, records: new Map() })
    }
    this.#lastId = Math.max(0, ...Array.from(this.#worlds.values(), ({ id }) => id))
    await this.#file.write(['DELETE FROM records WHERE world NOT IN (SELECT id FROM worlds)'])
    await this.#readRecords()
    await this.#checkImages(sha256)
    for (const world of this.#worlds.values()) if (world.schemaVersion !== SNAPSHOT_VERSION) await this.#migrate(world)
  }

  list(): WorldRecord[] {
    return Array.from(this.#worlds.values(), ({ record, id }) => ({ ...record, id: String(id) }))
  }

  async open(name: string): Promise<WorldStorage> {
    const world = this.#worlds.get(name)
    if (!world) throw new WorldEnded(name)
    const { id, records = new Map() } = world
    delete world.records
    return this.#open(name, id, records)
  }

  async create(record: WorldRecord, content: WorldContent, { replace = false } = {}) {
    const { name } = record.plan
    const old = this.#worlds.get(name)?.record
    if (replace ? old?.createdAt !== record.createdAt : old) return undefined
    const id = ++this.#lastId
    const world: StoredWorld = { id, record, schemaVersion: SNAPSHOT_VERSION }
    const records = new Map(Array.from(content.records, ([each, source]) => [each, readSource(source)] as const))
    try {
      for (const [digest, bytes] of content.blobs) await this.#file.write([PUT_IMAGE, id, digest, bytes])
      for (const slice of slicesOf(id, records)) await this.#file.write(...slice)
      // Only now it is a world: what was cut off before is removed by the next start.
      await this.#file.write(toStep(world))
    } catch (error) {
      await this.#file.write(...removeRows(id)).catch(() => {})
      throw error
    }
    this.#worlds.set(name, world)
    return this.#open(name, id, records)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #open(name: string, id: number, records: WorldRecords): WorldStorage {
    let isOpen = true
    const write = async (...steps: Step[]) => {
      if (!isOpen) throw new WorldEnded(name)
      await this.#file.write(...steps)
    }
    const store = createMemoryStore({
      records,
      persist: (changes) => write(...toSteps(id, changes)),
      ping: async () => void (await this.#file.read('SELECT 1')),
    })
    const blobs: Blobs = {
      put: (digest, bytes) => write([PUT_IMAGE, id, digest, bytes]),
      get: async (digest) => {
        const bytes = await this.#readImage(id, digest)
        // They may be gone with the world, and then the record that names them says nothing of the one there is now.
        if (!bytes && !isOpen) throw new WorldEnded(name)
        return bytes
      },
      delete: (digest) => write(['DELETE FROM images WHERE world = ? AND digest = ?', id, digest]),
    }
    return {
      id: String(id),
      store,
      blobs,
      saveClock: async (clock) => {
        const world = this.#worlds.get(name)
        if (world?.id !== id) throw new WorldEnded(name)
        const record = { ...world.record, clock }
        await write(toStep({ ...world, record }, putWorldAgain))
        world.record = record
        return undefined
      },
      discard: async () => {
        isOpen = false
        try {
          await this.#file.write(['DELETE FROM worlds WHERE name = ? AND id = ?', name, id], ...removeRows(id))
        } catch (error) {
          isOpen = true
          throw error
        }
        if (this.#worlds.get(name)?.id === id) this.#worlds.delete(name)
      },
    }
  }

  async #readRecords(): Promise<void> {
    const worlds = new Map(Array.from(this.#worlds.values(), ({ id, records }) => [id, records!]))
    const columns = 'world, collection, key, body, checksum'
    const order = `ORDER BY world, collection, key LIMIT ${SLICE}`
    const sql = `SELECT ${columns} FROM records WHERE (world, collection, key) > (?, ?, ?) ${order}`
    let rows = await this.#file.read(sql, 0, '', '')
    while (rows.length > 0) {
      const { world, collection, key } = rows.at(-1)!
      // The thread reads the next ones while these are taken apart.
      const next = this.#file.read(sql, world!, collection!, key!)
      next.catch(() => {})
      for (const row of rows) {
        const name = String(row['collection']) as CollectionName
        if (!Object.hasOwn(collections, name)) throw new Error(`it holds something unknown: ${name}`)
        const records = worlds.get(Number(row['world']))!
        if (!records.has(name)) records.set(name, [])
        records.get(name)!.push(readBody(row) as Stored)
      }
      rows = await next
    }
  }

  /** Makes sure of the images that records name; others were never acknowledged, or are of worlds that are gone. */
  async #checkImages(sha256: Digests['sha256']): Promise<void> {
    const digest = `json_extract(body, '$.sha256') AS digest`
    const named = `SELECT world, ${digest} FROM records WHERE collection = 'symptomImages'`
    await this.#file.write([`DELETE FROM images WHERE (world, digest) NOT IN (${named})`])
    const kept = 'SELECT world, digest FROM images'
    const [missing] = await this.#file.read(`${named} EXCEPT ${kept}`)
    if (missing) throw new Error(`the image ${missing['digest']} is missing`)
    for (const { world, digest } of await this.#file.read(kept)) {
      const bytes = await this.#readImage(Number(world), String(digest))
      if (sha256(bytes!) !== digest) throw new Error(`the image ${digest} is not what was written`)
    }
  }

  async #readImage(world: number, digest: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#file.read('SELECT bytes FROM images WHERE world = ? AND digest = ?', world, digest)
    return row?.['bytes'] as Uint8Array | undefined
  }

  async #migrate(world: StoredWorld): Promise<void> {
    const { record, records } = migrateWorld(world.record, world.records!, world.schemaVersion)
    Object.assign(world, { record, records, schemaVersion: SNAPSHOT_VERSION })
    const all = [...slicesOf(world.id, records)].flat()
    await this.#file.write(['DELETE FROM records WHERE world = ?', world.id], ...all, toStep(world))
  }
}

function toStep({ id, record, schemaVersion }: StoredWorld, put = putWorld): Step {
  return put(record.plan.name, id, JSON.stringify({ record, schemaVersion }))
}

function toSteps(world: number, changes: Changes): Step[] {
  return [...changes].flatMap(([name, records]) =>
    Array.from(records, ([key, record]) => (record ? putRecord(world, name, record) : removeRecord(world, name, key))),
  )
}

function* slicesOf(world: number, records: ReadonlyMap<CollectionName, readonly Stored[]>): Generator<Step[]> {
  const all = [...records].flatMap(([name, list]) => list.map((record) => [name, record] as const))
  for (let i = 0; i < all.length; i += SLICE) {
    yield all.slice(i, i + SLICE).map(([name, record]) => putRecord(world, name, record))
  }
}
