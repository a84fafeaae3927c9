import { closeSync, openSync, writeSync } from 'node:fs'
import { writeEnd } from '../../contract/cases/case-file.ts'
import type { CaseStep } from '../../contract/records/control/case.ts'
import { upstreamHeader } from '../../contract/records/control/case-header.ts'

/** Bytes of a case's steps, as in recordings of a world: then it ends by itself. */
const LARGEST = 32 * 1024 * 1024

/** Writes a case line by line, so that nothing of what was told is lost when this process is killed. */
export class CaseWriter {
  readonly largest: number
  readonly #onEnd: (reason: string) => void
  readonly #file: number
  #steps = 0
  #bytes = 0
  #isOpen = true

  /** A new file, readable by its owner alone: what people sent to a vendor stands in it. Throws where it is there. */
  constructor(path: string, onEnd: (reason: string) => void, largest: number = LARGEST) {
    this.largest = largest
    this.#onEnd = onEnd
    this.#file = openSync(path, 'wx', 0o600)
    this.#put(`${JSON.stringify(upstreamHeader)}\n`)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** `step` is numbered here. */
  add(step: CaseStep): void {
    if (!this.#isOpen) return
    const line = `${JSON.stringify({ ...step, step: this.#steps + 1 })}\n`
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > this.largest) return this.end(`it has reached ${this.largest} bytes`)
    this.#steps++
    this.#bytes += bytes
    this.#put(line)
  }

  /** Traffic goes on, and no more of it is written. */
  end(reason: string): void {
    if (!this.#isOpen) return
    this.#put(writeEnd(reason))
    this.close()
    this.#onEnd(reason)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#file)
  }

  #put(line: string): void {
    const bytes = Buffer.from(line)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at)
    } catch (error) {
      this.close()
      this.#onEnd((error as Error).message)
    }
  }
}
