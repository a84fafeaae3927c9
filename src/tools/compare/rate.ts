const SECOND = 1000
const PATIENCE = 30 * SECOND

/** Calls pass in order of arrival. A call that has waited for 30 s is rejected. */
export class Rate {
  readonly #perSecond: number
  readonly #now: () => number
  /** When the last calls passed, at most a second's worth. */
  readonly #passed: number[] = []
  #last = Promise.resolve(true)

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** An aborted call passes no more, and the next one takes its place. */
  pass(signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    const until = this.#now() + PATIENCE
    this.#last = this.#last.then(() => this.#waitUntil(until, signal))
    return this.#last
  }

  async #waitUntil(until: number, signal: AbortSignal): Promise<boolean> {
    const free = this.#passed.length < this.#perSecond ? 0 : this.#passed[0]! + SECOND
    while (this.#now() < Math.min(free, until) && !signal.aborted) {
      await sleep(Math.min(free, until) - this.#now(), signal)
    }
    if (this.#now() < free || signal.aborted) return false
    this.#passed.push(this.#now())
    if (this.#passed.length > this.#perSecond) this.#passed.shift()
    return true
  }
}

/** Ends early when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
