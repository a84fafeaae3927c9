import { join } from 'node:path'
import type { Blobs } from '#server/ports/blobs.ts'
import type { Digests } from '#server/ports/chance.ts'
import type { RecordChanges } from '#server/ports/store.ts'
import { UnusableState, WorldEnded } from '#server/ports/failures.ts'
import { yielding } from '#server/ports/yielding.ts'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import { SNAPSHOT_VERSION } from '#contract/records/snapshot-migrations.ts'
import type { Engine, Pattern, WorldContent, WorldRecord, WorldStorage } from '../engine.ts'
import { toFirstSequence } from '../engine.ts'
import { createMemoryStore } from '../memory/store.ts'
import type { Changes } from '../memory/tables.ts'
import { readSource, type RecordSource, recordsOf, type Stored, type WorldRecords } from '../record.ts'
import { digestOf } from '../pattern-digest.ts'
import { migrateWorld } from '../world-migration.ts'
import { Base, type BaseBody, type OpenPatternOf, type RecordKeys, type RecordLists } from './bases.ts'
import { checkImages, readRows } from './contents.ts'
import { DATA_FILE, openDataFile, refusal } from './data-file.ts'
import type { Database, Step } from './database.ts'
import { openDiskBus } from './events.ts'
import { allowPageRelease, createPageRelease } from './free-pages.ts'
import {
  PROBE,
  PUT_IMAGE,
  putAbsence,
  putBase,
  putEvent,
  putRecord,
  putWorld,
  putWorldAgain,
  readBody,
  removeBase,
  removeRecord,
  removeRows,
  removeWorldRows,
} from './rows.ts'

/** Few records are written at once, so that nothing else waits long. */
const SLICE = 500

/** A world is a base at an instant, and its difference from it. */
interface Composition {
  base: Base
  at: number
  changes: Changes
}

interface StoredWorld extends Composition {
  id: number
  record: WorldRecord
  schemaVersion: number
}

/** Format 1 kept a world's records under its own number. */
interface WorldBody {
  record: WorldRecord
  schemaVersion: number
  base?: number
  at?: number
}

/**
 * One process owns the directory and serves records from memory. The file holds what worlds begin with once, and of
 * each world the difference.
 */
export async function createDiskEngine(
  directory: string,
  digests: Digests,
  openPattern: OpenPatternOf,
  /** Bytes of fixture images need not be kept again. */
  isOfFixtures: (digest: string) => boolean = () => false,
): Promise<Engine> {
  const file = await openDataFile(directory)
  try {
    const engine = new DiskEngine(file, digests, openPattern)
    await engine.read(isOfFixtures)
    return engine
  } catch (error) {
    await file.close()
    throw refusal(join(directory, DATA_FILE), error)
  }
}

class DiskEngine implements Engine {
  readonly #file: Database
  readonly #digests: Digests
  readonly #openPattern: OpenPatternOf
  readonly #releasePages: () => void
  readonly #worlds = new Map<string, StoredWorld>()
  readonly #bases = new Map<number, Base>()
  readonly #patterns = new WeakMap<Pattern, Promise<Base>>()
  /** A fork is written as its difference from the base of its source. */
  readonly #compositions = new WeakMap<WorldRecords, Composition>()
  #lastId = 0

  constructor(file: Database, digests: Digests, openPattern: OpenPatternOf) {
    this.#file = file
    this.#digests = digests
    this.#openPattern = openPattern
    this.#releasePages = createPageRelease(file)
  }

  /** Removes what is left of worlds that are gone, and migrates older records. */
  async read(isOfFixtures: (digest: string) => boolean): Promise<void> {
    const bodies = new Map<number, WorldBody>()
    for (const row of await this.#file.read('SELECT name, id, body, checksum FROM worlds')) {
      bodies.set(Number(row['id']), readBody(row) as WorldBody)
    }
    const baseBodies = new Map<number, BaseBody>()
    for (const row of await this.#file.read('SELECT id, body, checksum FROM bases')) {
      baseBodies.set(Number(row['id']), readBody(row) as BaseBody)
    }
    this.#lastId = Math.max(0, ...bodies.keys(), ...baseBodies.keys())
    for (const [id, body] of [...bodies].filter(([, { base }]) => base === undefined)) {
      const world = { ...body, base: id }
      bodies.delete(id)
      bodies.set(++this.#lastId, world)
      baseBodies.set(id, {})
      await this.#file.write(putBase(id, {}), putWorld(world.record.plan.name, this.#lastId, JSON.stringify(world)))
    }
    const owners = 'SELECT id FROM worlds UNION ALL SELECT id FROM bases'
    await this.#file.write(
      [`DELETE FROM records WHERE world NOT IN (${owners})`],
      ['DELETE FROM events WHERE world NOT IN (SELECT id FROM worlds)'],
    )
    const { lists, changes } = await readRows(this.#file, (owner) => baseBodies.has(owner))
    for (const [id, body] of baseBodies) this.#addBase(id, body, lists.get(id) ?? new Map())
    for (const [id, { record, schemaVersion, base: baseId, at = 0 }] of bodies) {
      const base = this.#bases.get(baseId!)
      if (!base) throw new UnusableState(`what the world ${record.plan.name} began with is missing`)
      base.expect()
      this.#worlds.set(record.plan.name, { id, record, schemaVersion, base, at, changes: changes.get(id) ?? new Map() })
    }
    const baseOf = (owner: number) => bodies.get(owner)?.base
    await checkImages(this.#file, { digests: this.#digests, baseOf, bases: this.#bases, isOfFixtures })
    for (const world of this.#worlds.values()) if (world.schemaVersion !== SNAPSHOT_VERSION) await this.#migrate(world)
    for (const base of this.#bases.values()) if (base.users === 0) await this.#removeBase(base)
    await allowPageRelease(this.#file)
    this.#releasePages()
  }

  list(): WorldRecord[] {
    return Array.from(this.#worlds.values(), ({ record, id }) => ({ ...record, id: String(id) }))
  }

  async open(name: string): Promise<WorldStorage> {
    const world = this.#worlds.get(name)
    if (!world) throw new WorldEnded(name)
    return this.#open(world, world.base.open(world.at, world.changes))
  }

  async create(record: WorldRecord, content: WorldContent, { replace = false } = {}) {
    const { name } = record.plan
    const old = this.#worlds.get(name)?.record
    if (replace ? old?.createdAt !== record.createdAt : old) return undefined
    const composition = await this.#compose(content)
    const { base, changes } = composition
    const id = ++this.#lastId
    const world: StoredWorld = { id, record, schemaVersion: SNAPSHOT_VERSION, ...composition }
    const own = new Set([...(changes.get('symptomImages')?.values() ?? [])].map((image) => image?.['sha256']))
    try {
      for (const [digest, bytes] of content.blobs) {
        if (own.has(digest) && !base.images.has(digest)) await this.#file.write([PUT_IMAGE, id, digest, bytes])
      }
      // Only its own row makes it a world: a write that was cut off before is removed by the next start.
      const start = putEvent(id, toFirstSequence(content.eventsFrom), null)
      await this.#writeSlices([...toSteps(world, changes), start, toStep(world)])
    } catch (error) {
      await this.#file.write(...removeWorldRows(id)).catch(() => {})
      this.#leaveBase(base)
      throw error
    }
    this.#worlds.set(name, world)
    const made = Array.from(content.records, ([name, source]): [CollectionName, RecordSource] => {
      return [name, changes.has(name) ? source : base.madeFrom(source, name)]
    })
    return this.#open(world, new Map(made))
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #open(world: StoredWorld, records: WorldRecords): Promise<WorldStorage> {
    const { id, base, record } = world
    const events = await openDiskBus(this.#file, id)
    const { name } = record.plan
    let isOpen = true
    const write = async (...steps: Step[]) => {
      if (!isOpen) throw new WorldEnded(name)
      await this.#file.write(...steps)
    }
    const store = createMemoryStore({
      records,
      persist: (changes, messages) => write(...toSteps(world, changes), ...events.toSteps(messages)),
      whenApplied(changes, messages) {
        note(world, changes)
        events.bus.deliver(messages)
      },
      ping: () => this.#file.ping(PROBE),
    })
    const blobs: Blobs = {
      put: (digest, bytes) => write([PUT_IMAGE, id, digest, bytes]),
      get: async (digest) => {
        const sql = 'SELECT bytes FROM images WHERE world IN (?, ?) AND digest = ?'
        const [row] = await this.#file.read(sql, id, base.id, digest)
        // Images may be gone with the world, and its record then says nothing of the present world.
        if (!row && !isOpen) throw new WorldEnded(name)
        return row?.['bytes'] as Uint8Array | undefined
      },
      delete: (digest) => write(['DELETE FROM images WHERE world = ? AND digest = ?', id, digest]),
    }
    return {
      id: String(id),
      store,
      blobs,
      bus: events.bus,
      share: () => {
        const shared = store.share()
        this.#compositions.set(shared, { base, at: world.at, changes: copyOf(world.changes) })
        return shared
      },
      saveClock: async (clock) => {
        if (this.#worlds.get(name) !== world) throw new WorldEnded(name)
        const moved = { ...world.record, clock }
        await write(toStep({ ...world, record: moved }, putWorldAgain))
        world.record = moved
        return undefined
      },
      discard: async () => {
        isOpen = false
        try {
          await this.#file.write(['DELETE FROM worlds WHERE name = ? AND id = ?', name, id], ...removeWorldRows(id))
        } catch (error) {
          isOpen = true
          throw error
        }
        if (this.#worlds.get(name) === world) this.#worlds.delete(name)
        this.#leaveBase(base)
        this.#releasePages()
      },
    }
  }

  async #compose({ records, since, blobs, pattern, patternAt = 0 }: WorldContent): Promise<Composition> {
    const shared = this.#compositions.get(since?.records ?? records)
    if (shared && this.#bases.has(shared.base.id)) {
      shared.base.users++
      const composition = { ...shared, changes: copyOf(shared.changes) }
      if (since) note(composition, since.changes)
      return composition
    }
    if (!pattern) {
      return { base: await this.#keepBase({}, await readLists(records), blobs), at: 0, changes: new Map() }
    }
    const base = await this.#keepPattern(pattern)
    base.users++
    const others = [...records].filter(([name]) => !pattern.names.includes(name))
    return {
      base,
      at: patternAt,
      changes: new Map(others.map(([name, source]) => [name, byKey(name, source)] as const)),
    }
  }
  #keepPattern(pattern: Pattern): Promise<Base> {
    const keep = async () => {
      const digest = await digestOf(pattern, this.#digests)
      const known = [...this.#bases.values()].find(({ body }) => body.pattern?.digest === digest)
      if (known) {
        known.users++
        return known
      }
      const dated = pattern.names.filter((name) => pattern.read(name).isDated)
      const listOf = (name: CollectionName): [CollectionName, Stored[]] => [name, [...pattern.read(name).records]]
      const lists = new Map(pattern.names.map(listOf))
      // The base is counted once more than its worlds, so that it stays for later ones; a start removes it when there
      // are none.
      return this.#keepBase({ pattern: { digest, dated } }, lists, [])
    }
    const kept = this.#patterns.get(pattern) ?? keep()
    this.#patterns.set(pattern, kept)
    kept.catch(() => this.#patterns.delete(pattern))
    return kept
  }

  async #keepBase(body: BaseBody, lists: RecordLists, blobs: WorldContent['blobs']): Promise<Base> {
    const id = ++this.#lastId
    const keys = new Map<CollectionName, Set<string>>()
    try {
      for (const [digest, bytes] of blobs) await this.#file.write([PUT_IMAGE, id, digest, bytes])
      // The texts of 100,000 records take a second to make, so they are written by slices.
      let steps: Step[] = []
      for (const [name, list] of lists) {
        const [known, { key }] = [new Set<string>(), collections[name]]
        keys.set(name, known)
        for (const record of list) {
          known.add(String(record[key]))
          steps.push(putRecord(id, name, record))
          if (steps.length < SLICE) continue
          await this.#file.write(...steps)
          steps = []
        }
      }
      await this.#file.write(...steps, putBase(id, body))
    } catch (error) {
      await this.#file.write(...removeRows(id)).catch(() => {})
      throw error
    }
    const base = this.#addBase(id, body, lists, keys)
    for (const [digest] of blobs) base.images.add(digest)
    base.users++
    return base
  }

  #addBase(id: number, body: BaseBody, lists: RecordLists, keys?: RecordKeys): Base {
    const base = new Base(id, body, lists, this.#openPattern, keys)
    this.#bases.set(id, base)
    return base
  }

  /** A base that cannot be removed for lack of room goes with the next start. */
  #leaveBase(base: Base): void {
    if (--base.users === 0) this.#removeBase(base).catch(() => {})
  }

  async #removeBase(base: Base): Promise<void> {
    this.#bases.delete(base.id)
    await this.#file.write(...removeBase(base.id))
  }

  async #writeSlices(steps: readonly Step[]): Promise<void> {
    for (let i = 0; i < steps.length; i += SLICE) await this.#file.write(...steps.slice(i, i + SLICE))
  }

  /** The migrated world gets a base of its own. */
  async #migrate(world: StoredWorld): Promise<void> {
    const { id, base: old } = world
    const before = await readLists(old.openUnchecked(world.at, world.changes))
    const { record, records } = migrateWorld(world.record, before, world.schemaVersion)
    const base = this.#addBase(++this.#lastId, {}, records)
    for (const digest of old.images) base.images.add(digest)
    base.expect()
    Object.assign(world, { record, schemaVersion: SNAPSHOT_VERSION, base, at: 0, changes: new Map() })
    const all = [...records].flatMap(([name, list]) => list.map((each) => putRecord(base.id, name, each)))
    const images = `INSERT OR IGNORE INTO images SELECT ?, digest, bytes FROM images WHERE world IN (?, ?)`
    const steps: Step[] = [
      ...all,
      [images, base.id, id, old.id],
      ...removeRows(id),
      putBase(base.id, {}),
      toStep(world),
    ]
    await this.#file.write(...steps)
    old.users--
  }
}

function toStep({ id, record, schemaVersion, base, at }: StoredWorld, put = putWorld): Step {
  return put(record.plan.name, id, JSON.stringify({ record, schemaVersion, base: base.id, at } satisfies WorldBody))
}

function toSteps({ id, base, at }: StoredWorld, changes: Changes): Step[] {
  return [...changes].flatMap(([name, records]) =>
    Array.from(records, ([key, record]) => {
      if (record) return putRecord(id, name, record)
      return base.has(at, name, key) ? putAbsence(id, name, key) : removeRecord(id, name, key)
    }),
  )
}

function note({ base, at, changes }: Composition, applied: RecordChanges): void {
  for (const [name, records] of applied) {
    const known = changes.get(name) ?? new Map<string, Stored | undefined>()
    changes.set(name, known)
    for (const [key, record] of records) {
      if (record || base.has(at, name, key)) known.set(key, record)
      else known.delete(key)
    }
  }
}

const copyOf = (changes: Changes): Changes =>
  new Map(Array.from(changes, ([name, records]) => [name, new Map(records)] as const))

async function readLists(records: WorldRecords): Promise<RecordLists> {
  const lists: RecordLists = new Map()
  for (const [name, source] of records) {
    const list: Stored[] = []
    for await (const record of yielding(recordsOf(source))) list.push(record)
    lists.set(name, list)
  }
  return lists
}

function byKey(name: CollectionName, source: RecordSource): Map<string, Stored> {
  return new Map(readSource(source).map((record) => [String(record[collections[name].key]), record]))
}
