import type { Chaos } from '../schemas/events/stream.ts'

/** What a disturbed stream must be able to do. */
interface Disturbed {
  reset(): void
  end(how: { farewell: boolean }): void
  flush(): void
}

/** What the control API does to a stream, so that people see how their client takes it. Times are real ones. */
export class Disturbance {
  /** The next frame is cut in its middle. */
  truncates = false
  /** Not even heartbeats go out. */
  isSilent = false
  #duplicates = false
  #delay: number | undefined
  #hold: NodeJS.Timeout | undefined

  /** Whether events wait. */
  get isHolding(): boolean {
    return this.#hold !== undefined
  }

  begin(stream: Disturbed, { action, ms }: Chaos): void {
    if (action === 'drop') stream.reset()
    else if (action === 'goodbye') stream.end({ farewell: true })
    else if (action === 'truncate') this.truncates = true
    else if (action === 'duplicate') this.#duplicates = true
    else if (action === 'delay') this.#delay = ms
    else if (action === 'stall') {
      this.isSilent = true
      this.#holdFor(ms, stream)
    }
  }

  /** How often the next event is sent; a delayed one keeps those behind it waiting, so that their order stays. */
  takeNext(stream: Disturbed): number {
    if (this.#delay !== undefined) this.#holdFor(this.#delay, stream)
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

  #holdFor(ms: number, stream: Disturbed): void {
    clearTimeout(this.#hold)
    this.#hold = setTimeout(() => {
      this.stop()
      stream.flush()
    }, ms)
  }
}
