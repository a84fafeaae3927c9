/** Milliseconds. */
const SECOND = 1000
const PATIENCE = 30 * SECOND

interface Waiting {
  go(isAllowed: boolean): void
  until: number
}

/** Lets so many calls a second pass, in the order in which they come; who waits for 30 s is sent away. */
export class Rate {
  readonly #perSecond: number
  readonly #now: () => number
  /** When the last ones passed, as many as may within a second. */
  readonly #passed: number[] = []
  readonly #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** Whether it may pass; a signal that is aborted leaves its place to others. */
  pass(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = { go: resolve, until: this.#now() + PATIENCE }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', () => this.#leave(waiting), { once: true })
      this.#next()
    })
  }

  /** Nobody waits any longer. */
  close(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.go(false)
    clearTimeout(this.#timer)
  }

  #leave(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting)
    if (at < 0) return
    this.#waiting.splice(at, 1)
    waiting.go(false)
    this.#next()
  }

  #next(): void {
    clearTimeout(this.#timer)
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const now = this.#now()
      const free = this.#passed.length < this.#perSecond ? now : this.#passed[0]! + SECOND
      if (free > now && first.until > now) {
        this.#timer = setTimeout(() => this.#next(), Math.min(free, first.until) - now)
        return
      }
      this.#waiting.shift()
      const isAllowed = free <= now
      if (isAllowed) this.#note(now)
      first.go(isAllowed)
    }
  }

  #note(now: number): void {
    this.#passed.push(now)
    if (this.#passed.length > this.#perSecond) this.#passed.shift()
  }
}
