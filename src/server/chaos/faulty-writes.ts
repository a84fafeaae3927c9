import type { Throttling } from '#contract/records/control/fault-response.ts'

/** Milliseconds between throttled chunks. Longer if the rate is below one byte per interval. */
const DRIP_EVERY = 50
/** Minimum pause between chunks in milliseconds. Without it, the client would receive the chunks together. */
const APART = 2

interface Outlet {
  write(bytes: Buffer, whenWritten?: () => void): void
  reset(): void
}

interface Piece {
  bytes: Buffer
  whenWritten: (() => void) | undefined
}

export class FaultyWrites {
  readonly #outlet: Outlet
  #left = Number.POSITIVE_INFINITY
  readonly #throttle: number | undefined
  readonly #apart: number
  #queue: Piece[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(outlet: Outlet, throttling?: Throttling) {
    this.#outlet = outlet
    if (throttling && 'cut' in throttling) this.#left = throttling.cut
    const rate = throttling && 'throttle' in throttling ? throttling.throttle / 1000 : undefined
    this.#throttle = rate && Math.max(1, Math.floor(rate * DRIP_EVERY))
    this.#apart = rate && this.#throttle ? this.#throttle / rate : APART
  }

  get waiting(): number {
    return this.#queue.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  write(pieces: readonly Buffer[], whenWritten?: () => void): void {
    const bytes = this.#throttle
      ? [Buffer.concat([...this.#queue.splice(0).map((each) => each.bytes), ...pieces])]
      : pieces
    bytes.forEach((each, i) => {
      this.#queue.push({ bytes: each, whenWritten: i === bytes.length - 1 ? whenWritten : undefined })
    })
    if (this.#timer) return
    if (this.#throttle) this.#sendLater()
    else this.#sendNext()
  }

  flush(): void {
    for (const { bytes, whenWritten } of this.stop()) this.#send(bytes, whenWritten)
  }

  stop(): Piece[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#queue.splice(0)
  }

  #sendLater(): void {
    this.#timer = setTimeout(() => this.#sendNext(), this.#apart)
  }

  #sendNext(): void {
    this.#timer = undefined
    const next = this.#queue.shift()
    if (!next) return
    this.#sendLater()
    const part = next.bytes.subarray(0, this.#throttle)
    const rest = next.bytes.subarray(part.length)
    if (rest.length > 0) this.#queue.unshift({ ...next, bytes: rest })
    this.#send(part, rest.length > 0 ? undefined : next.whenWritten)
  }

  #send(bytes: Buffer, whenWritten: (() => void) | undefined): void {
    const part = bytes.subarray(0, this.#left)
    this.#left -= part.length
    const then = this.#left > 0 ? whenWritten : () => this.#outlet.reset()
    // Skips empty chunks, because an empty chunk would end the response.
    if (part.length > 0) this.#outlet.write(part, then)
    else if (then) setImmediate(then)
  }
}
