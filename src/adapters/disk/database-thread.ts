import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Unavailable, UnusableState } from '../../ports.ts'

export type SqlValue = string | number | Uint8Array
export type Row = Record<string, SqlValue>
/** A statement, and the values of each time that it is done. */
export type Step = readonly [sql: string, values: readonly (readonly SqlValue[])[]]

const DRIVER = '@photostructure/sqlite'

/**
 * What the thread runs, as text: as a file it would have to be found beside the bundle, the sources and the tests
 * alike.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require(workerData.driver)
const database = new DatabaseSync(workerData.path)
const statements = new Map()
const prepare = (sql) => {
  if (!statements.has(sql)) statements.set(sql, database.prepare(sql))
  return statements.get(sql)
}
const work = {
  execute: (sql) => database.exec(sql),
  read: ([sql, values]) => prepare(sql).all(...values),
  write(steps) {
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const [sql, rows] of steps) for (const values of rows) prepare(sql).run(...values)
      database.exec('COMMIT')
    } catch (error) {
      // Some failures have rolled it back already.
      try { database.exec('ROLLBACK') } catch {}
      throw error
    }
  },
  close: () => database.close(),
}
parentPort.on('message', ({ id, task, given }) => {
  try {
    parentPort.postMessage({ id, value: work[task](given) })
  } catch (error) {
    parentPort.postMessage({ id, failure: error.message })
  }
})
`

type Answer = { id: number; value?: unknown; failure?: string }
type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

/** An SQLite database in a thread of its own, so that no sync holds up the event loop. What fails is Unavailable. */
export class DatabaseThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #failure: Error | undefined

  constructor(path: string) {
    this.#worker = new Worker(THREAD, { eval: true, workerData: { path, driver: findDriver() } })
    this.#worker.on('message', ({ id, value, failure }: Answer) => {
      const { resolve, reject } = this.#waiting.get(id)!
      this.#waiting.delete(id)
      if (failure === undefined) resolve(value)
      else reject(unusable(new Error(failure)))
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('it is closed')))
  }

  execute(sql: string): Promise<void> {
    return this.#ask('execute', sql) as Promise<void>
  }

  read(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#ask('read', [sql, values]) as Promise<Row[]>
  }

  /** All or nothing; resolves when it is on disk. */
  write(steps: readonly Step[]): Promise<void> {
    return this.#ask('write', steps) as Promise<void>
  }

  async close(): Promise<void> {
    await this.#ask('close').catch(() => {})
    await this.#worker.terminate()
  }

  #ask(task: string, given?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(unusable(this.#failure))
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, task, given }, [])
    })
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.values()) reject(unusable(this.#failure))
    this.#waiting.clear()
  }
}

const unusable = (cause: Error) => new Unavailable('the data file cannot be used', { cause })

function findDriver(): string {
  try {
    return createRequire(join(import.meta.dirname, 'database-thread.js')).resolve(DRIVER)
  } catch (error) {
    throw new UnusableState(`DATA_DIR needs the package ${DRIVER}: npm install ${DRIVER}`, { cause: error })
  }
}
