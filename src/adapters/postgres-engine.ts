import type pg from 'pg'
import { type Clock, Unavailable, UnusableState } from '../ports.ts'
import { type CollectionName, collectionNames } from '../schemas/collections.ts'
import type { Snapshot } from '../schemas/snapshot.ts'
import type { Engine, Housing, WorldContent, WorldRecord } from './engine.ts'
import type { InitialTables } from './memory-tables.ts'
import { createPostgresBlobs } from './postgres-blobs.ts'
import { SCHEMA, table } from './postgres-layout.ts'
import { PostgresPool } from './postgres-pool.ts'
import { type Ask, putNewRecords } from './postgres-records.ts'
import { prepareSchema } from './postgres-schema.ts'
import { createPostgresStore } from './postgres-store.ts'
import type { Stored } from './sorted-records.ts'

/** Whole worlds take longer than a statement of theirs. */
const LONG = 20_000
const TRIES = 8

type Row = { house: string; body: string; clock: string }

/** Worlds in a database that several instances share. `clock` is real time, by which worlds expire. */
export async function createPostgresEngine(url: string, clock: Clock): Promise<Engine> {
  const engine = new PostgresEngine(url, clock)
  try {
    await engine.prepare()
    return engine
  } catch (error) {
    await engine.close()
    if (error instanceof UnusableState) throw error
    const { cause = error } = error as { cause?: unknown }
    throw new UnusableState(`the database cannot be used: ${(cause as Error).message}`, { cause })
  }
}

class PostgresEngine implements Engine {
  installation = ''
  readonly #clock: Clock
  readonly #pool: PostgresPool
  /** Images are stored within transactions of records: with connections of their own neither waits for the other. */
  readonly #imagePool: PostgresPool
  readonly #longPool: PostgresPool

  constructor(url: string, clock: Clock) {
    this.#clock = clock
    this.#pool = new PostgresPool({ url, size: 10 })
    this.#imagePool = new PostgresPool({ url, size: 2 })
    this.#longPool = new PostgresPool({ url, size: 2, patience: LONG })
  }

  async prepare(): Promise<void> {
    this.installation = await this.#longPool.use(prepareSchema)
  }

  async list(): Promise<WorldRecord[]> {
    const text = `SELECT w.house, w.body, c.body AS clock FROM ${SCHEMA}.worlds w
      JOIN ${SCHEMA}.clocks c ON c.house = w.house ORDER BY w.house`
    const { rows } = await this.#pool.use((client) => client.query<Row>(text))
    return rows.map(toWorldRecord)
  }

  async open(name: string): Promise<Housing> {
    const text = `SELECT house FROM ${SCHEMA}.worlds WHERE name = $1`
    const { rows } = await this.#pool.use((client) => client.query<Row>(text, [name]))
    if (!rows[0]) throw new Unavailable(`the world ${name} has ended`)
    return this.#house(rows[0].house)
  }

  async create(record: WorldRecord, content: WorldContent, { replace = false } = {}): Promise<Housing | undefined> {
    const house = await this.#inTurns((ask) => this.#build(record, content, replace, ask))
    return house === undefined ? undefined : this.#house(house)
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool, this.#imagePool, this.#longPool].map((pool) => pool.close()))
  }

  abandon(): Promise<void> {
    return this.close()
  }

  async #build(record: WorldRecord, { tables, blobs }: WorldContent, replace: boolean, ask: Ask) {
    const { plan, clock } = record
    const { rows } = await ask(`SELECT body FROM ${SCHEMA}.worlds WHERE name = $1`, [plan.name])
    if (rows[0] && !replace && this.#isLive(rows[0] as Row)) return undefined
    const next = await ask(`SELECT nextval('${SCHEMA}.houses') AS house`, [])
    const { house } = next.rows[0] as Row
    const world = `INSERT INTO ${SCHEMA}.worlds (name, house, body) VALUES ($1, $2, $3)
      ON CONFLICT (name) DO UPDATE SET house = excluded.house, body = excluded.body`
    await ask(world, [plan.name, house, JSON.stringify(record)])
    await ask(`INSERT INTO ${SCHEMA}.clocks (house, body) VALUES ($1, $2)`, [house, JSON.stringify(clock)])
    for (const [digest, bytes] of blobs) {
      const image = `INSERT INTO ${SCHEMA}.images (house, digest, bytes) VALUES ($1, $2, $3)`
      await ask(image, [house, digest, Buffer.from(bytes)])
    }
    for (const name of collectionNames) await putNewRecords(name, house, recordsOf(tables, name), ask)
    return house
  }

  #isLive({ body }: Row): boolean {
    const { plan, createdAt } = JSON.parse(body) as WorldRecord
    return plan.expiresIn === undefined || this.#clock.now() < createdAt + plan.expiresIn * 1000
  }

  #house(house: string): Housing {
    return {
      id: house,
      store: createPostgresStore(this.#pool, house),
      blobs: createPostgresBlobs(this.#imagePool, house),
      saveClock: async (place: Snapshot['clock']) => {
        const text = `UPDATE ${SCHEMA}.clocks SET body = $2 WHERE house = $1`
        await this.#pool.use((client) => client.query(text, [house, JSON.stringify(place)]))
      },
      close: async () => {},
      discard: () => this.#inTurns((ask) => forget(house, ask)),
    }
  }

  /** Whole worlds at once, in one transaction. */
  async #inTurns<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#longPool.use((client) => inTransaction(client, work))
      } catch (error) {
        const { code } = error as { code?: string }
        if (!['40001', '40P01', '23505'].includes(code ?? '') || attempt === TRIES) throw error
      }
    }
  }
}

async function inTransaction<T>(client: pg.PoolClient, work: (ask: Ask) => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE')
  try {
    const result = await work((text, values) => client.query(text, [...values]))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function forget(house: string, ask: Ask): Promise<void> {
  const tables = ['worlds', 'clocks', 'images'].map((each) => `${SCHEMA}.${each}`)
  for (const each of [...tables, ...collectionNames.map(table)])
    await ask(`DELETE FROM ${each} WHERE house = $1`, [house])
}

function toWorldRecord({ house, body, clock }: Row): WorldRecord {
  return { ...(JSON.parse(body) as WorldRecord), id: house, clock: JSON.parse(clock) as WorldRecord['clock'] }
}

function recordsOf(tables: InitialTables, name: CollectionName): Stored[] {
  const initial = tables.get(name)
  const found = typeof initial === 'function' ? initial() : initial
  return [...(found?.all() ?? [])]
}
