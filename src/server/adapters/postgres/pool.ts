import { Socket } from 'node:net'
import pg from 'pg'
import { TookTooLong, Unavailable } from '#server/ports/failures.ts'
import { isCancelled, isOverburdened, isUnreachable } from './failures.ts'
import { type Ask, Session } from './session.ts'

/** Maximum time in milliseconds for each statement. A cancelled statement is also retried for this time. */
const PATIENCE = 5000
/** Milliseconds after the statement timeout until a connection without a response counts as lost. */
const LOST_AFTER = 2000
const CONNECT_WITHIN = 1200
const PROBE_EVERY = 250

export interface PoolOptions {
  url: string
  size: number
  patience?: number
}

/** If the database is not available, callers get an error immediately and do not wait. */
export class PostgresPool {
  readonly #pool: pg.Pool
  readonly #size: number
  readonly #lent = new Set<pg.PoolClient>()
  readonly #sockets = new Set<Socket>()
  /** Number of losses before the connection was opened. A loss discards all earlier connections. */
  readonly #madeAfter = new WeakMap<pg.PoolClient, number>()
  #losses = 0
  #busy = 0
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
  #away: Unavailable | undefined
  #isClosing = false
  #whenIdle: (() => void) | undefined
  #probe: NodeJS.Timeout | undefined

  constructor({ url, size, patience = PATIENCE }: PoolOptions) {
    this.#size = size
    this.#pool = new pg.Pool({
      connectionString: url,
      max: size,
      connectionTimeoutMillis: CONNECT_WITHIN,
      // If the database is busy or a row is locked, the database cancels the statement but is still available.
      statement_timeout: patience,
      query_timeout: patience + LOST_AFTER,
      // A stopped process may hold a transaction, which must end before the callers that wait for it time out.
      idle_in_transaction_session_timeout: 0.8 * patience,
      keepAlive: true,
      application_name: 'vendor-cloud',
      stream: () => this.#openSocket(),
    })
    // The pool replaces idle connections that fail, so their errors can be ignored.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#madeAfter.set(client, this.#losses)
      client.on('error', () => {})
      // A sequential scan would lock the entire table. A database that rejects this setting does not lock like this.
      client.query('SET enable_seqscan = off').catch(() => {})
    })
  }

  readonly ask: Ask = (text, values) => this.use((session) => session.ask(text, values))

  /** `work` is retried if the database cancels it, so it must have no effects outside of the transaction. */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE
    for (;;) {
      try {
        return await this.#lend(work)
      } catch (error) {
        if (!isCancelled(error)) throw error
        if (performance.now() >= until) throw new TookTooLong('the database took too long', { cause: error })
      }
    }
  }

  async #lend<T>(work: (session: Session) => Promise<T>): Promise<T> {
    await this.#place()
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    try {
      client = await this.#connect()
      this.#lent.add(client)
      return await work(new Session(client))
    } catch (error) {
      if (isOverburdened(error))
        throw new Unavailable('too many queries are waiting for the database', { cause: error })
      if (!isUnreachable(error)) throw error
      broken = error as Error
      throw this.#lose(broken, client)
    } finally {
      if (client) this.#lent.delete(client)
      client?.release(broken)
      this.#leave()
    }
  }

  /** Ends all statements in flight, because the database does not respond. */
  lose(): void {
    for (const client of this.#lent) client.end().catch(() => {})
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#probe)
    if (this.#busy > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
    await this.#pool.end()
    // The driver does not close the socket if the database rejects the user.
    for (const socket of this.#sockets) socket.destroy()
  }

  #openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect()
      if (this.#madeAfter.get(client) === this.#losses) return client
      client.release(true)
    }
  }

  async #place(): Promise<void> {
    if (this.#isClosing) throw new Unavailable('the connections to the database are closed')
    if (this.#away) throw this.#away
    if (this.#busy < this.#size) {
      this.#busy++
      return
    }
    await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) return next.resolve()
    this.#busy--
    if (this.#busy === 0) this.#whenIdle?.()
  }

  #lose(cause: Error, client: pg.PoolClient | undefined): Unavailable {
    const away = new Unavailable('the database cannot be reached', { cause })
    // The connection is older than the last loss, so its failure is no new loss.
    if (client && this.#madeAfter.get(client) !== this.#losses) return away
    this.#losses++
    if (!this.#away) this.#scheduleProbe()
    this.#away = away
    for (const { reject } of this.#waiting.splice(0)) reject(away)
    return away
  }

  #scheduleProbe(): void {
    if (this.#isClosing) return
    this.#probe = setTimeout(async () => {
      try {
        const client = await this.#connect()
        await client.query('SELECT 1').finally(() => client.release(true))
        this.#away = undefined
      } catch {
        this.#scheduleProbe()
      }
    }, PROBE_EVERY).unref()
  }
}

export async function inTransaction<T>({ send }: Session, work: (ask: Ask) => Promise<T>): Promise<T> {
  await send('BEGIN ISOLATION LEVEL SERIALIZABLE')
  try {
    const result = await work((text, values = []) => send(text, values))
    await send('COMMIT')
    return result
  } catch (error) {
    await send('ROLLBACK').catch(() => {})
    throw error
  }
}
