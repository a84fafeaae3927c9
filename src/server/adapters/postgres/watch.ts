import pg from 'pg'
import { Lost } from './failures.ts'
import type { Session } from './session.ts'

const LOOK_EVERY = 100
/** After so long a wait the watch asks whether the database is there, which must answer in time. */
const LOOK_AFTER = 300
const ANSWER_WITHIN = 1000
/** After so long an answer or a question counts as lost on the way. */
const LOST_AFTER = 1000

/** Finds our sessions that the database works on, or just has. */
const FIND_BUSY = `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1)
  AND (state NOT LIKE 'idle%' OR state_change > clock_timestamp() - interval '${LOST_AFTER} milliseconds')`

/** A slow database is waited for; one that is away is not, and neither is a dead connection. */
export class Watch {
  readonly #connect: () => Promise<pg.PoolClient>
  readonly #watched = new Map<Session, (error: Lost) => void>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  /** Nobody else may use the connection of `connect`. */
  constructor(connect: () => Promise<pg.PoolClient>) {
    this.#connect = connect
  }

  /** Rejects with `Lost` when `work` would wait in vain. */
  async during<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY).unref()
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#watched.set(session, reject)
        work(session).then(resolve, reject)
      })
    } finally {
      this.#watched.delete(session)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    if (this.#watched.size === 0) return this.stop()
    const now = performance.now()
    const waiting = [...this.#watched.keys()].map((session) => ({ session, since: session.waitsSince }))
    if (this.#isLooking || !waiting.some(({ since }) => since < now - LOOK_AFTER)) return
    this.#isLooking = true
    try {
      const old = waiting.filter(({ since }) => since < now - LOST_AFTER)
      const busy = await this.#findBusy(old.map(({ session }) => session.process))
      for (const { session, since } of old) {
        if (session.waitsSince !== since || busy.has(session.process)) continue
        this.#watched.get(session)?.(new Lost('what the database said, or was told, is lost'))
      }
    } catch (error) {
      // A server that refuses is there.
      if (error instanceof pg.DatabaseError) return
      for (const giveUp of this.#watched.values()) giveUp(new Lost('the database is away', { cause: error }))
    } finally {
      this.#isLooking = false
    }
  }

  async #findBusy(processes: readonly number[]): Promise<ReadonlySet<number>> {
    const client = await this.#connect()
    let failure: Error | undefined
    try {
      const { rows } = await answered(client.query<{ pid: number }>(FIND_BUSY, [processes]))
      return new Set(rows.map(({ pid }) => pid))
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      client.release(failure)
    }
  }
}

/** Answers that came while our own process stood still are read before they count as late. */
function answered<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Lost('the database says nothing'))
    const timer = setTimeout(() => setImmediate(late), ANSWER_WITHIN)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
