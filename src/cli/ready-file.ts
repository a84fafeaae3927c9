import { UsageError } from './input-output.ts'
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { describeFailure } from '#contract/failures.ts'

/** A test in another language finds a server by this file, also one on a free port: `{url, pid, version}`. */
export class ReadyFile {
  readonly #path: string

  /**
   * Removes the file of a server that has ended, so that nobody reads its address, and refuses any other file. The file
   * of a running server stays until this one listens, which may fail.
   */
  constructor(path: string) {
    this.#path = path
    if (!lstatSync(path, { throwIfNoEntry: false })) return
    const pid = this.#read()
    if (pid === undefined) throw new UsageError(`cannot write ${path}: it is there, and no ready file`)
    // In a container the ended server had the same process id.
    if (pid === process.pid || !isRunning(pid)) rmSync(path)
  }

  /** Written whole or not at all, since readers poll for it. */
  write(server: { url: string; version: string }): void {
    const { pid } = process
    const part = `${this.#path}.${pid}.part`
    try {
      writeFileSync(part, `${JSON.stringify({ url: server.url, pid, version: server.version })}\n`, { flag: 'wx' })
      renameSync(part, this.#path)
    } catch (error) {
      throw new UsageError(`cannot write ${this.#path}: ${describeFailure(error)}`)
    }
  }

  /** Another server may have written its own file since. */
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
