import type { Chaos } from '#contract/records/events/stream.ts'

export class StreamFault {
  truncates: 'middle' | 'id' | undefined
  /** If true, the stream sends nothing, not even heartbeats. */
  isSilent = false
  #duplicates = false
  #delay: number | undefined
  #hold: NodeJS.Timeout | undefined
  readonly #flush: () => void

  constructor(flush: () => void) {
    this.#flush = flush
  }

  get isHolding(): boolean {
    return this.#hold !== undefined
  }

  begin({ action, ms, at = 'middle' }: Chaos): void {
    if (action === 'truncate') this.truncates = at
    if (action === 'duplicate') this.#duplicates = true
    if (action === 'delay') this.#delay = ms
    if (action === 'stall') {
      this.isSilent = true
      this.#holdFor(ms)
    }
  }

  /** A delayed event also delays all later events, so that the order of events does not change. */
  takeNext(): number {
    if (this.#delay !== undefined) this.#holdFor(this.#delay)
    this.#delay = undefined
    const times = this.#duplicates ? 2 : 1
    this.#duplicates = false
    return times
  }

  stop(): void {
    clearTimeout(this.#hold)
    this.#hold = undefined
    this.isSilent = false
  }

  #holdFor(ms: number): void {
    clearTimeout(this.#hold)
    this.#hold = setTimeout(() => {
      this.stop()
      this.#flush()
    }, ms)
  }
}
