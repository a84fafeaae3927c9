import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { UsageError } from './arguments.ts'

/** The file by which a test in another language finds a server, also one on a free port: `{url, pid, version}`. */
export class ReadyFile {
  readonly #path: string

  /**
   * Takes away what a server that has ended left there, so that nobody reads its address; another's file is refused.
   * That of a server that runs stays until this one listens, which may fail.
   */
  constructor(path: string) {
    this.#path = path
    if (!lstatSync(path, { throwIfNoEntry: false })) return
    const pid = this.#read()
    if (pid === undefined) throw new UsageError(`cannot write ${path}: it is there, and no ready file`)
    // In containers the ended server had the same id.
    if (pid === process.pid || !isRunning(pid)) rmSync(path)
  }

  /** Whole or not at all: who polls for the file finds its end, too. */
  write(server: { url: string; version: string }): void {
    const { pid } = process
    const part = `${this.#path}.${pid}.part`
    try {
      writeFileSync(part, `${JSON.stringify({ url: server.url, pid, version: server.version })}\n`, { flag: 'wx' })
      renameSync(part, this.#path)
    } catch (error) {
      throw new UsageError(`cannot write ${this.#path}: ${(error as Error).message}`)
    }
  }

  /** Unless another server has written its own there since. */
  remove(): void {
    if (this.#read() === process.pid) rmSync(this.#path, { force: true })
  }

  #read(): number | undefined {
    try {
      const { url, pid } = JSON.parse(readFileSync(this.#path, 'utf8')) as { url?: unknown; pid?: unknown }
      return typeof url === 'string' && typeof pid === 'number' ? pid : undefined
    } catch {
      return undefined
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
