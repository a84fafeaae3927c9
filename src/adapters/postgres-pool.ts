import pg from 'pg'
import { Unavailable } from '../ports.ts'

/** Who asks waits at most about so long for a database that is away: connecting, or one statement. */
const PATIENCE = 1500
const PROBE_EVERY = 250

export interface PoolOptions {
  url: string
  size: number
  /** Milliseconds that a statement may take. */
  patience?: number
}

/**
 * Connections to the database. When it is found to be away, everybody is told at once, and nobody waits in vain until it
 * answers again.
 */
export class PostgresPool {
  readonly #pool: pg.Pool
  readonly #size: number
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
      statement_timeout: patience,
      // What a process leaves that was stopped, or cut off, in a transaction.
      idle_in_transaction_session_timeout: 2 * patience,
      keepAlive: true,
      application_name: 'vendor-cloud',
    })
    // An idle connection that breaks is replaced by the pool.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      // Reading a small table whole would lock it whole, and unrelated transactions would fail each other. Where the
      // setting is unknown, so is the lock.
      client.query('SET enable_seqscan = off').catch(() => {})
    })
  }

  /** Lends a connection. Whoever throws out of the database's reach is answered with Unavailable. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    await this.#place()
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    try {
      client = await this.#pool.connect()
      return await work(client)
    } catch (error) {
      if (error instanceof Unavailable || !isUnreachable(error)) throw error
      broken = error as Error
      throw this.#lose(broken)
    } finally {
      client?.release(broken)
      this.#leave()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#probe)
    await this.#pool.end()
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

  #lose(cause: Error): Unavailable {
    const away = new Unavailable('the database cannot be reached', { cause })
    if (!this.#away) this.#probeSoon()
    this.#away = away
    for (const { reject } of this.#waiting.splice(0)) reject(away)
    return away
  }

  #probeSoon(): void {
    this.#probe = setTimeout(async () => {
      try {
        const client = await this.#pool.connect()
        await client.query('SELECT 1').finally(() => client.release(true))
        this.#away = undefined
      } catch {
        this.#probeSoon()
      }
    }, PROBE_EVERY).unref()
  }
}

/** Its own refusals carry a code of five characters; those of class 57 and 08 are about its coming and going. */
export function isUnreachable(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '')
  if (!(error instanceof Error)) return false
  if (/^(57P0|08|53300|25P03)/.test(code)) return true
  if (code === '57014') return true
  return (
    !/^[0-9A-Z]{5}$/.test(code) &&
    /timeout|terminated|ECONN|EPIPE|EHOST|ENET|ENOTFOUND|EAI_AGAIN/i.test(`${code} ${error.message}`)
  )
}
