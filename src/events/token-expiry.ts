import type { Ports } from '../ports.ts'
import type { LiveStream } from './live-stream.ts'

/**
 * Ends streams with their tokens, on the world's time. One task for all: a task of its own for every stream would weigh
 * as much as the stream.
 */
export class TokenExpiry {
  readonly #scheduler: Ports['scheduler']
  readonly #streams: ReadonlyMap<string, LiveStream>
  #next = Number.POSITIVE_INFINITY
  #cancel = () => {}

  constructor(scheduler: Ports['scheduler'], streams: ReadonlyMap<string, LiveStream>) {
    this.#scheduler = scheduler
    this.#streams = streams
  }

  watch({ expiresAt }: LiveStream): void {
    if (expiresAt >= this.#next) return
    this.#cancel()
    this.#next = expiresAt
    this.#cancel = this.#scheduler.schedule(expiresAt, () => this.#end(expiresAt), 'access token ends, with its stream')
  }

  /** Ends the streams whose tokens have expired by `now`, and looks for the next. */
  #end(now: number): void {
    this.#next = Number.POSITIVE_INFINITY
    for (const stream of this.#streams.values()) {
      if (stream.expiresAt <= now) stream.end()
      else this.watch(stream)
    }
  }
}
