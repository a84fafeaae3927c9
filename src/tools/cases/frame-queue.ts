import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser'
import type { StreamFrame } from '#contract/files/case.ts'
import { bounds } from '../client/options.ts'
import { readFrameData } from '#contract/records/decoded-text.ts'

export class FrameQueue {
  readonly #frames: StreamFrame[] = []
  readonly #parser: EventSourceParser
  #hasEnded = false
  #wake = () => {}

  /** A frame longer than `longest` ends the queue, because it might never be complete. */
  constructor(longest: number = bounds.bytes) {
    this.#parser = createParser({
      maxBufferSize: longest,
      onEvent: (message) => this.#take(message),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.end()
      },
    })
  }

  push(text: string): void {
    if (!this.#hasEnded) this.#parser.feed(text)
    if (this.#frames.length > 0) this.#wake()
  }

  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  /** Waits up to `withinMs` in real time. Returns undefined if no frame arrives. */
  async next(withinMs: number): Promise<StreamFrame | undefined> {
    if (this.#frames.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return this.#frames.shift()
  }

  get waiting(): number {
    return this.#frames.length
  }

  takeAll(): StreamFrame[] {
    return this.#frames.splice(0)
  }

  #take({ event, id, data }: EventSourceMessage): void {
    if (event === undefined) return
    if (this.#frames.length === MOST_WAITING) return this.end()
    this.#frames.push({ event, ...(id !== undefined && { id }), data: readFrameData(event, data) })
  }
}

/** Limits memory if a stream sends frames faster than they are read. */
const MOST_WAITING = 100_000
