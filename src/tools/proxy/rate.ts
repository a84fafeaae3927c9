const SECOND = 1000
const PATIENCE = 30 * SECOND

interface Waiting {
  go(isAllowed: boolean): void
  until: number
}

/** Calls pass in order of arrival; a caller that has waited for 30 s is refused. */
export class Rate {
  readonly #perSecond: number
  readonly #now: () => number
  /** Holds the instants of the last calls, at most a second's worth. */
  readonly #passed: number[] = []
  readonly #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** Aborting the signal gives the place to others. */
  pass(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = { go: resolve, until: this.#now() + PATIENCE }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', () => this.#leave(waiting), { once: true })
      this.#next()
    })
  }

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
