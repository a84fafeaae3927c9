import type { Blobs } from '../../../src/server/ports/blobs.ts'
import type { Clock } from '../../../src/server/ports/clock.ts'
import { Unavailable, WorldEnded } from '../../../src/server/ports/failures.ts'
import type { Store, Transaction } from '../../../src/server/ports/store.ts'
import { type CollectionName, collectionNames } from '../../../src/contract/records/collections.ts'
import {
  type Engine,
  type StoredClock,
  toFirstSequence,
  type WorldContent,
  type WorldRecord,
  type WorldStorage,
} from '../../../src/server/adapters/engine.ts'
import { openPostgresBus } from '../../../src/server/adapters/postgres/bus.ts'
import { CONTROL_LOG } from '../../../src/server/adapters/postgres/event-log.ts'
import { PostgresLink } from '../../../src/server/adapters/postgres/link.ts'
import { readersOf, writersOf } from '../../../src/server/adapters/memory/access.ts'
import { type Changes, Tables } from '../../../src/server/adapters/memory/tables.ts'
import { PendingOutbox, readSource, toTransaction, toView } from '../../../src/server/adapters/record.ts'
import { machine } from './machine.ts'
import { SharedLog, SimulatedSession } from './postgres-log.ts'
import type { Life } from './scheduler.ts'

/** Milliseconds after which a statement without a response fails. */
const PATIENCE = 1500
/** After this number of conflicts, a transaction runs without interruption. */
const PATIENT_TRIES = 3

interface House extends StoredClock {
  id: string
  record: WorldRecord
  tables: Tables
  blobs: Map<string, Uint8Array>
  /** Sequence number of the first event of the world. */
  base: number
  versions: Map<CollectionName, number>
  isGone: boolean
}

/**
 * A database that instances share. Its serializable transactions may conflict or fail, and their responses may be lost.
 */
export class DatabaseServer {
  isUp = true
  /**
   * One in `failEvery` statements fails. Half of these fail after the statement was executed. With 0, no statement
   * fails.
   */
  failEvery = 0
  readonly houses = new Map<string, House>()
  readonly log = new SharedLog()
  reaches: (life: Life) => boolean = () => true
}

export const servers = new Map<string, DatabaseServer>()

class Conflict extends Error {}

/**
 * Replaces `src/server/adapters/postgres/engine.ts`, whose SQL requires a real database. `npm run test:services` tests
 * that engine.
 */
export async function createPostgresEngine(url: string, clock: Clock): Promise<Engine> {
  const engine = new SimulatedEngine(servers.get(url)!, clock)
  await engine.begin()
  return engine
}

class SimulatedEngine implements Engine {
  readonly #server: DatabaseServer
  readonly #clock: Clock
  readonly #life = machine.scheduler.current!
  readonly #link: PostgresLink
  readonly others = {
    settled: () => this.#link.settled(),
    subscribe: async (listener: () => Promise<void>) => this.#link.followChanges(listener),
  }

  constructor(server: DatabaseServer, clock: Clock) {
    this.#server = server
    this.#clock = clock
    this.#link = new PostgresLink(async (events) => new SimulatedSession(this.#server, this.#life, events).open())
  }

  async begin(): Promise<void> {
    await this.list()
    await this.#link.open(this.#server.log.headOf(CONTROL_LOG))
  }

  /** Runs a function on the server. The request and the response may be delayed or lost. */
  async #trip<T>(run: () => T, isQuick = false): Promise<T> {
    const { failEvery } = this.#server
    if (!isQuick) await machine.scheduler.gate()
    if (!this.#server.isUp || !this.#server.reaches(this.#life)) {
      await new Promise<void>((resolve) => machine.scheduler.in(PATIENCE, resolve, { owner: this.#life }))
      throw new Unavailable('the simulated database cannot be reached')
    }
    const fails = failEvery > 0 && machine.scheduler.chance.once(failEvery)
    if (fails && machine.scheduler.chance.once(2)) throw new Unavailable('the simulated database failed')
    const value = run()
    if (!isQuick) await machine.scheduler.gate()
    if (fails) throw new Unavailable('the reply of the simulated database is lost')
    return value
  }

  list(): Promise<WorldRecord[]> {
    return this.#trip(() =>
      Array.from(this.#server.houses.values(), ({ id, record, clock, moves }) => ({
        ...record,
        id,
        clock,
        clockMoves: moves,
      })),
    )
  }

  async open(name: string, id?: string): Promise<WorldStorage> {
    const house = await this.#trip(() => this.#server.houses.get(name))
    if (!house || (id !== undefined && house.id !== id)) throw new WorldEnded(name)
    return this.#open(house, await this.#trip(() => this.#server.log.headOf(house.id)))
  }

  async create(
    record: WorldRecord,
    content: WorldContent,
    { replace = false } = {},
  ): Promise<WorldStorage | undefined> {
    const { name } = record.plan
    const tables = new Tables(new Map(Array.from(content.records, ([each, source]) => [each, readSource(source)])))
    // Fills all collections in one step, because an instance that ends in between would leave some of them empty.
    for (const each of collectionNames) await tables.open(each)
    const blobs = new Map(content.blobs)
    const state = { record, tables, blobs, versions: new Map(), isGone: false, moves: 0 }
    const id = machine.bytes(6).toString('hex')
    const house = await this.#trip(() => {
      const old = this.#server.houses.get(name)
      if (replace ? old?.record.createdAt !== record.createdAt : old && this.#isLive(old)) return undefined
      if (old) old.isGone = true
      const start = this.#server.log.append(id, [null])
      const fresh: House = { ...state, id, clock: record.clock, base: toFirstSequence(content.eventsFrom) - start }
      this.#server.houses.set(name, fresh)
      return { fresh, start, change: this.#logChange() }
    })
    if (!house) return undefined
    this.#link.announceChange(house.change)
    return this.#open(house.fresh, house.start)
  }

  close(): Promise<void> {
    return this.#link.close()
  }
  async abandon(): Promise<void> {}

  #isLive({ record: { plan, createdAt } }: House): boolean {
    return plan.expiresIn === undefined || this.#clock.now() < createdAt + plan.expiresIn * 1000
  }

  #logChange(): number {
    return this.#server.log.append(CONTROL_LOG, [this.#link.instance])
  }

  #open(house: House, position: number): WorldStorage {
    const { id, blobs, base } = house
    const { name } = house.record.plan
    const there = <T>(run: () => T) =>
      this.#trip(() => {
        assertThere(house)
        return run()
      })
    const ofImages: Blobs = {
      put: (digest, bytes) => there(() => void blobs.set(digest, bytes)),
      get: (digest) => there(() => blobs.get(digest)),
      delete: (digest) => there(() => void blobs.delete(digest)),
    }
    return {
      id,
      store: this.#openStore(house),
      blobs: ofImages,
      bus: openPostgresBus(this.#link, {
        world: id,
        base,
        position,
        claims: this.#server.log.claimsOf(id, (run) => this.#trip(run)),
        readHistory: (range) => this.#trip(() => this.#server.log.history(id, range)),
        trim: async () => {},
      }),
      saveClock: async (clock, moves) => {
        const saved = await there(() => {
          if (house.moves !== moves) return { clock: house.clock, moves: house.moves }
          Object.assign(house, { clock, moves: moves + 1 })
          return this.#logChange()
        })
        if (typeof saved !== 'number') return saved
        this.#link.announceChange(saved)
        await this.#link.settled().catch(() => {})
        return undefined
      },
      discard: async () => {
        const change = await this.#trip(() => {
          house.isGone = true
          if (this.#server.houses.get(name) === house) this.#server.houses.delete(name)
          return this.#logChange()
        })
        this.#link.announceChange(change)
      },
    }
  }

  #openStore(house: House): Store {
    const readers = readersOf(house.tables)
    const view = toView((name) => {
      const reader = readers.collection(name)
      const look = () => this.#trip(() => assertThere(house))
      return {
        get: (key) => look().then(() => reader.get(key)),
        find: (query) => look().then(() => reader.find(query)),
        count: (where) => look().then(() => reader.count(where)),
      }
    })
    return {
      ...view,
      transaction: async (work) => {
        for (let tries = 0; ; tries++) {
          try {
            return await this.#attempt(house, work, tries >= PATIENT_TRIES)
          } catch (error) {
            if (!(error instanceof Conflict)) throw error
          }
        }
      },
      ping: () => this.#trip(() => assertThere(house)),
      close: async () => {},
    }
  }

  /**
   * At the commit, the records that the transaction has read must be unchanged. Errors before the commit may result
   * from outdated records.
   */
  async #attempt<T>(house: House, work: (tx: Transaction) => Promise<T>, isQuick: boolean): Promise<T> {
    const { tables, versions } = house
    const changes: Changes = new Map()
    const seen = new Map<CollectionName, number>()
    const outbox = new PendingOutbox()
    const writers = writersOf(tables, { changes, outbox })
    const note = (name: CollectionName) => seen.has(name) || seen.set(name, versions.get(name) ?? 0)
    const isCurrent = () => [...seen].every(([name, version]) => (versions.get(name) ?? 0) === version)
    const assertCurrent = () => {
      if (!isCurrent()) throw new Conflict()
      assertThere(house)
    }
    const tx = toTransaction((name) => {
      const writer = writers.collection(name)
      const read = () => {
        assertCurrent()
        note(name)
      }
      const look = () => this.#trip(read, isQuick)
      return {
        get: (key) => look().then(() => writer.get(key)),
        find: (query) => look().then(() => writer.find(query)),
        count: (where) => look().then(() => writer.count(where)),
        put: (record) => writer.put(record as never),
        delete: (key) => look().then(() => writer.delete(key)),
      }
    }, outbox)
    try {
      const value = await work(tx)
      for (const name of changes.keys()) note(name)
      await tables.assertUnique(changes)
      await this.#trip(() => {
        assertCurrent()
        tables.apply(changes)
        for (const name of changes.keys()) versions.set(name, (versions.get(name) ?? 0) + 1)
        if (outbox.messages.length > 0) this.#server.log.append(house.id, outbox.messages)
      }, isQuick)
      for (const hook of outbox.hooks) hook()
      if (outbox.messages.length > 0) this.#link.announce(house.id)
      return value
    } catch (error) {
      if (!(error instanceof Unavailable) && !isCurrent()) throw new Conflict()
      throw error
    }
  }
}

function assertThere({ isGone, record }: House): void {
  if (isGone) throw new WorldEnded(record.plan.name)
}
