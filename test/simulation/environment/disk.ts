import { EventEmitter } from 'node:events'
import { DatabaseSync as RealDatabase } from '@photostructure/sqlite'
import { start } from 'database-thread'
import { Channel, machine } from './machine.ts'
import type { Life } from './scheduler.ts'

type Message = readonly (readonly [sql: string, ...values: (string | number | Uint8Array)[]])[] | undefined

/** A disk with one SQLite file. Synced data is kept, whatever happens to the process. */
export class Disk {
  isFull = false
  /** One in `failEvery` writes fails. With 0, no write fails. */
  failEvery = 0
  database = new RealDatabase(':memory:')
  /** Transactions since the file was created. The first `synced` of them survive a power failure. */
  log: Message[] = []
  synced = 0

  /** Simulates a power failure: some or all of the data that was not synced is lost. */
  lose(): void {
    const kept = this.synced + machine.scheduler.chance.below(this.log.length - this.synced + 1)
    if (kept === this.log.length) return
    this.log.length = kept
    this.database = new RealDatabase(':memory:')
    for (const steps of this.log) {
      for (const [sql, ...values] of steps ?? []) this.database.prepare(sql).all(...(values as string[]))
    }
  }
}

/** The disk for each data directory that the program uses. */
export const disks = new Map<string, Disk>()

/** Replaces this class of @photostructure/sqlite. Uses a real SQLite database in memory, on a disk that may fail. */
export class DatabaseSync {
  readonly #disk: Disk
  #steps: (readonly [string, ...string[]])[] = []
  #syncs = false
  isTransaction = false

  constructor(path: string) {
    this.#disk = disks.get(path)!
  }

  exec(sql: string): void {
    if (sql === 'VACUUM' || sql.includes('wal_checkpoint')) return
    if (sql.includes('PRAGMA')) {
      this.#syncs = /synchronous = FULL/.test(sql)
    } else if (sql.startsWith('BEGIN')) {
      this.isTransaction = true
      this.#steps = []
      this.#disk.database.exec(sql)
    } else if (sql === 'COMMIT') this.#commit()
    else this.#rollBack()
  }

  prepare(sql: string) {
    return {
      all: (...values: string[]) => {
        if (!/^SELECT|^PRAGMA \w+(\(1\))?$/.test(sql)) this.#steps.push([sql, ...values])
        return this.#disk.database.prepare(sql).all(...values)
      },
    }
  }

  close(): void {}

  #commit(): void {
    if (this.#steps.length > 0) {
      const { failEvery, isFull } = this.#disk
      if (isFull) throw new Error('database or disk is full')
      if (failEvery > 0 && machine.scheduler.chance.once(failEvery)) {
        if (machine.scheduler.chance.once(2)) this.#rollBack()
        throw new Error('disk I/O error')
      }
      this.#disk.log.push(this.#steps)
      if (this.#syncs) this.#disk.synced = this.#disk.log.length
    }
    this.#disk.database.exec('COMMIT')
    this.isTransaction = false
  }

  #rollBack(): void {
    this.#disk.database.exec('ROLLBACK')
    this.isTransaction = false
  }
}

/**
 * Replaces `node:worker_threads`. The thread runs in this process, and the seed determines the delay of its messages.
 */
export class Worker extends EventEmitter {
  readonly #life: Life | undefined = machine.scheduler.current
  readonly #toThread = new Channel()
  #receive: (message: Message) => void = () => {}

  constructor(_file: string, { workerData }: { workerData: string }) {
    super()
    const toParent = new Channel()
    const tell = (kind: string, value: unknown) => toParent.send(() => this.emit(kind, value), this.#life)
    const port = {
      on: (_kind: string, receive: (message: Message) => void) => {
        this.#receive = receive
      },
      postMessage: (answer: unknown) => tell('message', answer),
      close: () => tell('exit', 0),
    }
    start(port, workerData)
  }

  postMessage(message: Message): void {
    this.#toThread.send(() => this.#receive(message), this.#life)
  }
}
