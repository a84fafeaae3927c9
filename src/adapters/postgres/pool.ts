import pg from 'pg'
import { Unavailable } from '../../ports.ts'

/** Who asks waits at most about so long for a database that is away: connecting, or one statement. */
const PATIENCE = 1200
const PROBE_EVERY = 250

/** Sends one statement and gives its rows. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>

const names = new Map<string, string>()

/** Each connection plans a statement of one text once. There are few texts: values and pages are no part of them. */
export function query(client: pg.PoolClient, text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
  const name = names.get(text) ?? `vendor_cloud_${names.size}`
  names.set(text, name)
  return client.query({ name, text, values: [...values] })
}

/** What the database calls its refusal. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

export interface PoolOptions {
  url: string
  size: number
  /** Milliseconds that a statement may take. */
  patience?: number
}

/**
 * Connections to the database. When it is found to be away, everybody is told at once, and nobody waits in vain until
 * it answers again.
 */
export class PostgresPool {
  readonly #pool: pg.Pool
  readonly #size: number
  /** When each connection was made, in losses: those of before a loss may be as lost, and are not tried one by one. */
  readonly #madeAfter = new WeakMap<pg.PoolClient, number>()
  #losses = 0
  #busy = 0
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
  #away: Unavailable | undefined
  #probe: NodeJS.Timeout | undefined

  constructor({ url, size, patience = PATIENCE }: PoolOptions) {
    this.#size = size
    this.#pool = new pg.Pool({
      connectionString: url,
      max: size + 1,
      connectionTimeoutMillis: PATIENCE,
      query_timeout: patience,
      // A database that says so itself is there: it is only busy, or somebody else holds what is asked for.
      statement_timeout: patience - 100,
      // What a process leaves that was stopped, or cut off, in a transaction.
      idle_in_transaction_session_timeout: 2 * patience,
      keepAlive: true,
      application_name: 'vendor-cloud',
    })
    // An idle connection that breaks is replaced by the pool.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#madeAfter.set(client, this.#losses)
      client.on('error', () => {})
      // Reading a small table whole would lock it whole, and unrelated transactions would fail each other. Where the
      // setting is unknown, so is the lock.
      client.query('SET enable_seqscan = off').catch(() => {})
    })
  }

  readonly ask: Ask = (text, values) => this.use((client) => query(client, text, values))

  /**
   * Lends a connection. Whoever throws out of the database's reach is answered with Unavailable; so is everybody when
   * `away` rejects, for work that may be long about it.
   */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>, away?: Promise<never>): Promise<T> {
    await this.#place()
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    try {
      client = await this.#connect()
      return await (away ? Promise.race([work(client), away.catch(giveUp)]) : work(client))
    } catch (error) {
      if (isOverburdened(error)) throw new Unavailable('the database takes no more just now', { cause: error })
      if (!isUnreachable(error)) throw error
      broken = error as Error
      throw this.#lose(broken, client)
    } finally {
      client?.release(broken)
      this.#leave()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#probe)
    await this.#pool.end()
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect()
      if (this.#madeAfter.get(client) === this.#losses) return client
      client.release(true)
    }
  }

  async #place(): Promise<void> {
    if (this.#away) throw this.#away
    if (this.#busy < this.#size) {
      this.#busy++
      return
    }
    await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next.resolve()
    else this.#busy--
  }

  #lose(cause: Error, client: pg.PoolClient | undefined): Unavailable {
    const away = new Unavailable('the database cannot be reached', { cause })
    // A connection of before the last loss says nothing new.
    if (client && this.#madeAfter.get(client) !== this.#losses) return away
    this.#losses++
    if (!this.#away) this.#probeSoon()
    this.#away = away
    for (const { reject } of this.#waiting.splice(0)) reject(away)
    return away
  }

  #probeSoon(): void {
    this.#probe = setTimeout(async () => {
      try {
        const client = await this.#connect()
        await client.query('SELECT 1').finally(() => client.release(true))
        this.#away = undefined
      } catch {
        this.#probeSoon()
      }
    }, PROBE_EVERY).unref()
  }
}

/** All or nothing, serialisable. */
export async function inTransaction<T>(client: pg.PoolClient, work: (ask: Ask) => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE')
  try {
    const result = await work((text, values = []) => client.query(text, [...values]))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/**
 * Its own refusals carry a code of five characters; some are about its coming and going, about being the second, or
 * about who may come in at all.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof Lost) return true
  const code = codeOf(error)
  if (/^(57P0|08|28|3D|53300|25P03|25006)/.test(code)) return true
  return !/^[0-9A-Z]{5}$/.test(code) && UNREACHABLE.test(`${code} ${error.message}`)
}

const UNREACHABLE = /timeout|terminated|not queryable|ECONN|EPIPE|EHOST|ENET|ENOTFOUND|EAI_AGAIN/i

/** No room on disk, in memory or for locks, a broken disk, or too slow: it is there, and reads may go on. */
export function isOverburdened(error: unknown): boolean {
  return /^(53(?!300)|57014|58)/.test(codeOf(error))
}

/** Somebody else has found the database to be away. */
class Lost extends Error {}

function giveUp(cause: unknown): never {
  throw new Lost('the database is away', { cause })
}
