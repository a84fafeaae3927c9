import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { OutOfSpace, Unavailable } from '#server/ports/failures.ts'

/** Number of rows per write. It is small, so that other work can run between two writes. */
const SLICE = 500

export type SqlValue = string | number | Uint8Array
export type Row = Record<string, SqlValue>
export type Step = readonly [sql: string, ...values: SqlValue[]]

type Answer = { rows: Row[] } | { failure: string }

type Caller = { resolve: (rows: Row[]) => void; reject: (error: Error) => void }

/** SQLite runs in a thread, because a sync can take seconds on a slow disk. */
export class Database {
  readonly path: string
  readonly #thread: Worker
  /** The thread responds in the order of the requests. */
  readonly #callers: Caller[] = []
  readonly #exit: Promise<unknown>
  #end: Error | undefined
  #refused = false

  constructor(path: string) {
    this.path = path
    this.#thread = new Worker(join(import.meta.dirname, 'database-thread.mjs'), { workerData: path, execArgv: [] })
    this.#thread.on('message', (answer: Answer) => {
      const { resolve, reject } = this.#callers.shift()!
      if ('rows' in answer) resolve(answer.rows)
      else reject(unavailable(new Error(answer.failure)))
    })
    this.#thread.on('error', (error) => this.#refuseAll(error))
    this.#exit = new Promise((resolve) => this.#thread.on('exit', resolve))
    this.#thread.on('exit', () => this.#refuseAll(new Error('it is closed')))
  }

  read(...step: Step): Promise<Row[]> {
    return this.#ask([step])
  }

  async ask(pragma: string): Promise<SqlValue> {
    return Object.values((await this.read(`PRAGMA ${pragma}`))[0]!)[0]!
  }

  /** All steps or none. Resolves when the changes are on disk. */
  async write(...steps: Step[]): Promise<void> {
    try {
      await this.#ask(steps)
      this.#refused = false
    } catch (error) {
      this.#refused = true
      throw error
    }
  }

  /** Generates each slice after the previous one is written, because 100,000 rows at once would take a second. */
  async writeSlices(steps: Iterable<Step>): Promise<void> {
    let slice: Step[] = []
    for (const step of steps) {
      if (slice.push(step) < SLICE) continue
      await this.write(...slice)
      slice = []
    }
    await this.write(...slice)
  }

  /** Also rejects if the disk is full. After a failed write, rejects until a write or the `probe` succeeds. */
  async ping(probe: readonly Step[]): Promise<void> {
    await this.read('SELECT 1')
    if (await isFull(dirname(this.path))) throw new OutOfSpace('the disk is full')
    if (!this.#refused) return
    for (const step of probe) await this.write(step)
  }

  /** Runs a statement that cannot be part of a transaction. */
  async run(sql: string): Promise<void> {
    await this.#ask(sql)
  }

  /** Earlier requests are completed, and later ones are rejected. */
  async close(): Promise<void> {
    if (!this.#end) {
      this.#end = new Error('it is closed')
      this.#thread.postMessage(undefined, [])
    }
    await this.#exit
  }

  #ask(steps: readonly Step[] | string): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(unavailable(this.#end))
      this.#callers.push({ resolve, reject })
      this.#thread.postMessage(steps, [])
    })
  }

  #refuseAll(error: Error): void {
    this.#end ??= error
    for (const { reject } of this.#callers.splice(0)) reject(unavailable(this.#end))
  }
}

function unavailable(cause: Error): Unavailable {
  if (cause.message.includes('disk is full')) return new OutOfSpace('the disk is full', { cause })
  return new Unavailable(`the data file cannot be used: ${cause.message}`, { cause })
}

/** Minimum free disk space in bytes. If there is less, the next large write would fail. */
const LEAST_ROOM = 1024 * 1024

export async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < LEAST_ROOM
}
