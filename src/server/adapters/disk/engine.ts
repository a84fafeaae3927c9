import { join } from 'node:path'
import type { Blobs } from '#server/ports/blobs.ts'
import type { Digests } from '#server/ports/chance.ts'
import type { RecordChanges } from '#server/ports/store.ts'
import { UnusableState, WorldEnded } from '#server/ports/failures.ts'
import type { Engine, WorldContent, WorldRecord, WorldStorage } from '../engine.ts'
import { toFirstSequence } from '../engine.ts'
import { createMemoryStore } from '../memory/store.ts'
import type { Changes } from '../memory/tables.ts'
import type { Stored, WorldRecords } from '../record.ts'
import { type Base, type BaseRecords, Bases, type OpenPatternOf, readByKey } from './bases.ts'
import { checkImages, readRows } from './contents.ts'
import { DATA_FILE, openDataFile, refusal, type Report } from './data-file.ts'
import type { Database, Step } from './database.ts'
import { openDiskBus } from './events.ts'
import {
  type BaseBody,
  PROBE,
  PUT_IMAGE,
  putAbsence,
  putEvent,
  putRecord,
  putWorld,
  putWorldAgain,
  readBody,
  removeRecord,
  removeWorldRows,
} from './rows.ts'

/** Free pages that are kept for later worlds, because releasing them takes longer than the space is worth. */
const SPARE_PAGES = 256
/** Number of pages that one step releases. It is small, so that other writes can run between two steps. */
const PAGES_AT_ONCE = 256

/** A world is stored as a base, its start time, and the changes since then. */
interface Composition {
  base: Base
  at: number
  changes: Changes
}

interface StoredWorld extends Composition {
  id: number
  record: WorldRecord
}

interface WorldBody {
  record: WorldRecord
  base: number
  at: number
}

/** For a directory that a single process owns. Stores shared initial records once, and only changes per world. */
export async function createDiskEngine(
  directory: string,
  digests: Digests,
  openPattern: OpenPatternOf,
  isOfFixtures: (digest: string) => boolean = () => false,
  report?: Report,
): Promise<Engine> {
  const file = await openDataFile(directory, report)
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
  readonly #bases: Bases
  readonly #worlds = new Map<string, StoredWorld>()
  /** Makes it possible to store a fork as changes to the base of its source. */
  readonly #compositions = new WeakMap<WorldRecords, Composition>()
  #lastId = 0

  constructor(file: Database, digests: Digests, openPattern: OpenPatternOf) {
    this.#file = file
    this.#digests = digests
    this.#bases = new Bases({ file, digests, openPattern, newId: () => ++this.#lastId })
  }

  async read(isOfFixtures: (digest: string) => boolean): Promise<void> {
    const worlds = await this.#readBodies<WorldBody>('SELECT name, id, body, checksum FROM worlds')
    const bases = await this.#readBodies<BaseBody>('SELECT id, body, checksum FROM bases')
    this.#lastId = Math.max(0, ...worlds.keys(), ...bases.keys())
    const owners = 'SELECT id FROM worlds UNION ALL SELECT id FROM bases'
    await this.#file.write(
      [`DELETE FROM records WHERE world NOT IN (${owners})`],
      ['DELETE FROM events WHERE world NOT IN (SELECT id FROM worlds)'],
    )
    const rows = await readRows(this.#file)
    for (const [id, body] of bases) this.#bases.add(id, body, (rows.get(id) ?? new Map()) as BaseRecords)
    for (const [id, { record, base: baseId, at }] of worlds) {
      const base = this.#bases.find(baseId)
      if (!base)
        throw new UnusableState(`the initial state of world ${record.plan.name} is missing from the data directory`)
      base.users++
      this.#worlds.set(record.plan.name, { id, record, base, at, changes: rows.get(id) ?? new Map() })
    }
    const baseOf = (owner: number) => worlds.get(owner)?.base
    await checkImages(this.#file, { digests: this.#digests, baseOf, bases: this.#bases, isOfFixtures })
    await this.#bases.removeUnused()
    this.#releasePages()
  }

  async #readBodies<T>(sql: string): Promise<Map<number, T>> {
    const rows = await this.#file.read(sql)
    return new Map(rows.map((row) => [Number(row['id']), readBody(row) as T]))
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
    const shared = this.#shareComposition(content)
    const composition = shared ?? (await this.#compose(content))
    const { base, at, changes } = composition
    const id = ++this.#lastId
    const world: StoredWorld = { id, record, ...composition }
    const own = new Set([...(changes.get('symptomImages')?.values() ?? [])].map((image) => image?.['sha256']))
    try {
      for (const [digest, bytes] of content.blobs) {
        if (own.has(digest) && !base.images.has(digest)) await this.#file.write([PUT_IMAGE, id, digest, bytes])
      }
      // Written last: a world exists only with its row, and the next server start removes rows without a world.
      const start = putEvent(id, toFirstSequence(content.eventsFrom), null)
      await this.#file.writeSlices([...toSteps(world, changes), start, toStep(world)])
    } catch (error) {
      await this.#file.write(...removeWorldRows(id)).catch(() => {})
      this.#bases.leave(base)
      throw error
    }
    this.#worlds.set(name, world)
    return this.#open(world, shared ? content.records : base.open(at, changes))
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
        // The image may have been deleted together with the world.
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
        this.#bases.leave(base)
        this.#releasePages()
      },
    }
  }

  /** Returns undefined if no base is shared. If one is, the worlds also share their tables in memory. */
  #shareComposition({ records, since }: WorldContent): Composition | undefined {
    const shared = this.#compositions.get(since?.records ?? records)
    if (!shared || !this.#bases.has(shared.base)) return undefined
    shared.base.users++
    const composition = { ...shared, changes: copyOf(shared.changes) }
    if (since) note(composition, since.changes)
    return composition
  }

  async #compose({ records, blobs, pattern, patternAt = 0 }: WorldContent): Promise<Composition> {
    if (!pattern) {
      const base = await this.#bases.keep({}, await readByKey(records), blobs)
      return { base, at: 0, changes: new Map() }
    }
    const base = await this.#bases.keepPattern(pattern)
    base.users++
    const others = await readByKey([...records].filter(([name]) => !pattern.names.includes(name)))
    return { base, at: patternAt, changes: others }
  }

  #releasePages(): void {
    const release = async () => {
      const wanted = Number(await this.#file.ask('freelist_count')) - SPARE_PAGES
      if (wanted <= 0) return
      for (let done = 0; done < wanted; done += PAGES_AT_ONCE) {
        await this.#file.read(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`)
      }
      await this.#file.run('PRAGMA wal_checkpoint(TRUNCATE)')
    }
    // Fails if the file is closed or the disk is full. The release is repeated when the next world is deleted.
    release().catch(() => {})
  }
}

function toStep({ id, record, base, at }: StoredWorld, put = putWorld): Step {
  return put(record.plan.name, id, JSON.stringify({ record, base: base.id, at } satisfies WorldBody))
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
