import { randomInt } from 'node:crypto'
import type { Clock } from '#server/ports/clock.ts'
import { UnusableState, WorldEnded } from '#server/ports/failures.ts'
import type { Snapshot } from '#contract/records/snapshot.ts'
import type { Engine, WorldStorage, StoredClock, WorldContent, WorldRecord } from '../engine.ts'
import { toFirstSequence } from '../engine.ts'
import { createPostgresBlobs } from './blobs.ts'
import { openPostgresBus } from './bus.ts'
import { createPostgresClaims } from './claims.ts'
import { advanceSequence, appendToLog, CONTROL_LOG, readHistory, readLogHead, trimLog } from './event-log.ts'
import { connectLink } from './link-session.ts'
import { PostgresLink } from './link.ts'
import { SCHEMA } from './layout.ts'
import { codeOf } from './failures.ts'
import { inTransaction, PostgresPool } from './pool.ts'
import { prepareSchema } from './schema.ts'
import type { Ask } from './session.ts'
import { createPostgresStore } from './store.ts'
import { findLeaving, findWorld, forgetWorld, keepWorld, type Row } from './worlds.ts'

/** Timeout in milliseconds for writing a complete world, which takes longer than a single statement. */
const LONG = 20_000
const TRIES = 8
/** Average number of changes after which the log of changes is trimmed. */
const CHANGES_PER_TRIM = 1000

/** For several instances that share a database. Worlds expire according to `clock`, which shows the real time. */
export async function createPostgresEngine(url: string, clock: Clock): Promise<PostgresEngine> {
  const engine = new PostgresEngine(url, clock)
  try {
    await engine.prepare()
    return engine
  } catch (error) {
    await engine.close()
    if (error instanceof UnusableState) throw error
    const { cause = error } = error as { cause?: unknown }
    const { message } = cause as Error
    // In SQLSTATE class 42, a table or column is missing, except for 42501: the database user lacks a right.
    const hint = /^42(?!501)/.test(codeOf(cause)) ? ` (the schema ${SCHEMA} must be empty or made by this version)` : ''
    throw new UnusableState(`cannot use the database: ${message}${hint}`, { cause })
  }
}

export class PostgresEngine implements Engine {
  readonly #clock: Clock
  readonly #pool: PostgresPool
  /** Images are stored while transactions are open, so neither must wait for a connection of the other. */
  readonly #imagePool: PostgresPool
  readonly #longPool: PostgresPool
  readonly #link: PostgresLink
  readonly others = {
    settled: () => this.#link.settled(),
    subscribe: async (listener: () => Promise<void>) => this.#link.followChanges(listener),
  }

  constructor(url: string, clock: Clock) {
    this.#clock = clock
    this.#pool = new PostgresPool({ url, size: 10 })
    this.#imagePool = new PostgresPool({ url, size: 2 })
    this.#longPool = new PostgresPool({ url, size: 2, patience: LONG })
    this.#link = new PostgresLink((events) => connectLink(url, events))
    this.#link.onDown(() => {
      for (const pool of [this.#pool, this.#imagePool, this.#longPool]) pool.lose()
    })
  }

  async prepare(): Promise<void> {
    await this.#longPool.use(prepareSchema)
    await this.#transact((ask) => advanceSequence(ask, toFirstSequence(this.#clock.now())))
    await trimLog(this.#pool.ask, CONTROL_LOG)
    await this.#link.open(await readLogHead(this.#pool.ask, CONTROL_LOG))
    const leaving = await this.#transact(findLeaving)
    for (const house of leaving) await this.#transact((ask) => forgetWorld(house, ask))
  }

  async list(): Promise<WorldRecord[]> {
    const text = `SELECT w.house, w.body, c.body AS clock, c.moves FROM ${SCHEMA}.worlds w
      JOIN ${SCHEMA}.clocks c ON c.house = w.house ORDER BY w.house`
    return (await this.#pool.ask(text)).rows.map(toWorldRecord)
  }

  async open(name: string, id?: string): Promise<WorldStorage> {
    const found = await findWorld(name, this.#pool.ask)
    if (!found || (id !== undefined && found.house !== id)) throw new WorldEnded(name)
    return this.#open(found.house, Number(found.events_base))
  }

  async create(record: WorldRecord, content: WorldContent, { replace = false } = {}) {
    const { name } = record.plan
    const created = await this.#transact(async (ask) => {
      const old = await findWorld(name, ask)
      if (replace ? !old || toRecord(old).createdAt !== record.createdAt : old && this.#isLive(old)) return undefined
      const fresh = this.#newWorldId()
      await keepWorld(fresh, record, content, old?.house, ask)
      return { house: fresh, change: await this.#logChange(ask) }
    })
    if (!created) return undefined
    this.#link.announceChange(created.change)
    return this.open(name, created.house)
  }

  async close(): Promise<void> {
    // The link aborts statements of an unresponsive database, so it is closed last.
    await Promise.all([this.#pool, this.#imagePool, this.#longPool].map((pool) => pool.close()))
    await this.#link.close()
  }

  /** Never reused, not even after a database restore, because other instances may refer to the old world. */
  #newWorldId(): string {
    return String(this.#clock.now() * 1000 + randomInt(1000))
  }

  #isLive(row: Row): boolean {
    const { plan, createdAt } = toRecord(row)
    return plan.expiresIn === undefined || this.#clock.now() < createdAt + plan.expiresIn * 1000
  }

  async #open(house: string, base: number): Promise<WorldStorage> {
    const { ask } = this.#pool
    const trim = () => trimLog(ask, house)
    await trim()
    const bus = openPostgresBus(this.#link, {
      world: house,
      base,
      position: await readLogHead(ask, house),
      claims: createPostgresClaims(this.#pool, house),
      readHistory: (range) => readHistory(ask, house, range),
      trim,
    })
    return {
      id: house,
      store: createPostgresStore(this.#pool, house, () => this.#link.announce(house)),
      blobs: createPostgresBlobs(this.#imagePool, house),
      bus,
      saveClock: (place, moves) => this.#saveClock(house, place, moves),
      discard: async () => {
        const discarded = await this.#transact(async (ask) => {
          await forgetWorld(house, ask)
          return this.#logChange(ask)
        })
        this.#link.announceChange(discarded)
      },
    }
  }

  /** Must be the last statement of its transaction. */
  async #logChange(ask: Ask): Promise<number> {
    const sequence = await appendToLog(ask, CONTROL_LOG, [this.#link.instance])
    if (sequence % CHANGES_PER_TRIM === 0) trimLog(this.#pool.ask, CONTROL_LOG).catch(() => {})
    return sequence
  }

  async #saveClock(house: string, place: Snapshot['clock'], moves: number): Promise<StoredClock | undefined> {
    const save = `UPDATE ${SCHEMA}.clocks SET body = $2, moves = moves + 1 WHERE house = $1 AND moves = $3`
    const saved = await this.#transact(async (ask) => {
      const { rowCount } = await ask(save, [house, JSON.stringify(place), moves])
      return rowCount === 1 ? this.#logChange(ask) : undefined
    }, this.#pool)
    if (saved !== undefined) {
      this.#link.announceChange(saved)
      await this.#link.settled().catch(() => {})
      return undefined
    }
    const { rows } = await this.#pool.ask(`SELECT body AS clock, moves FROM ${SCHEMA}.clocks WHERE house = $1`, [house])
    const [row] = rows as Row[]
    if (!row) throw new WorldEnded()
    return { clock: JSON.parse(row.clock) as StoredClock['clock'], moves: Number(row.moves) }
  }

  async #transact<T>(work: (ask: Ask) => Promise<T>, pool = this.#longPool): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await pool.use((session) => inTransaction(session, work))
      } catch (error) {
        if (!['40001', '40P01', '23505'].includes(codeOf(error)) || attempt === TRIES) throw error
      }
    }
  }
}

const toRecord = ({ body }: Pick<Row, 'body'>) => JSON.parse(body) as WorldRecord

function toWorldRecord(row: Row): WorldRecord {
  const clock = JSON.parse(row.clock) as WorldRecord['clock']
  return { ...toRecord(row), id: row.house, clock, clockMoves: Number(row.moves) }
}
