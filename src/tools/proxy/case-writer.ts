import { closeSync, openSync, writeSync } from 'node:fs'
import { describeFailure } from '../../contract/failures.ts'
import { writeEnd } from '../../contract/cases/case-file.ts'
import type { CaseStep } from '../../contract/records/control/case.ts'
import { upstreamHeader } from '../../contract/records/control/case-header.ts'

/** A case ends by itself at this size, as a world's recording does. */
const LARGEST = 32 * 1024 * 1024

/** Each line is written at once, so a killed process loses nothing that was told. */
export class CaseWriter {
  readonly largest: number
  readonly #onEnd: (reason: string) => void
  readonly #file: number
  #steps = 0
  #bytes = 0
  #isOpen = true

  /** Throws when the file exists. Its owner alone can read it, since it holds what people sent to a vendor. */
  constructor(path: string, onEnd: (reason: string) => void, largest: number = LARGEST) {
    this.largest = largest
    this.#onEnd = onEnd
    this.#file = openSync(path, 'wx', 0o600)
    this.#put(`${JSON.stringify(upstreamHeader)}\n`)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The writer numbers the steps. */
  add(step: CaseStep): void {
    if (!this.#isOpen) return
    const line = `${JSON.stringify({ ...step, step: this.#steps + 1 })}\n`
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > this.largest) return this.end(`it has reached ${this.largest} bytes`)
    this.#steps++
    this.#bytes += bytes
    this.#put(line)
  }

  /** Traffic goes on after the recording has ended. */
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
      this.#onEnd(describeFailure(error))
    }
  }
}
