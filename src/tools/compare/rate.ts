const SECOND = 1000
const PATIENCE = 30 * SECOND

/** Requests pass in the order in which they arrive. A request that has waited for 30 s is rejected. */
export class Rate {
  readonly #perSecond: number
  readonly #now: () => number
  /** Times at which the last requests passed. Contains at most one second's worth. */
  readonly #passed: number[] = []
  #last = Promise.resolve(true)

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** An aborted request no longer counts, so the next request takes its turn. */
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
