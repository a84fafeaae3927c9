import type { Throttling } from '../../../contract/records/control/fault.ts'

/** Between two pieces of what drips, in milliseconds. */
const DRIP_EVERY = 50

interface Outlet {
  send(bytes: Buffer, whenSent?: () => void): void
  reset(): void
}

/** Lets through so many bytes and then resets the connection, or all of them at so many bytes a second. */
export class Throttle {
  readonly #outlet: Outlet
  readonly #rate: number
  #left: number
  #waiting = Buffer.alloc(0)
  #dripped = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(throttling: Throttling, outlet: Outlet) {
    this.#outlet = outlet
    this.#left = 'cut' in throttling ? throttling.cut : Number.POSITIVE_INFINITY
    this.#rate = 'drip' in throttling ? throttling.drip : Number.POSITIVE_INFINITY
  }

  get waiting(): number {
    return this.#waiting.length
  }

  push(bytes: Buffer, whenSent = () => {}): void {
    if (this.#rate !== Number.POSITIVE_INFINITY) {
      this.#waiting = Buffer.concat([this.#waiting, bytes])
      this.#dripped = whenSent
      if (!this.#timer) this.#drip()
      return
    }
    const part = bytes.subarray(0, this.#left)
    this.#left -= part.length
    const then = this.#left > 0 ? whenSent : () => this.#outlet.reset()
    if (part.length > 0) this.#outlet.send(part, then)
    else setImmediate(then)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #drip(): void {
    let turns = 0
    let sent = 0
    this.#timer = setInterval(() => {
      const due = Math.floor((++turns * DRIP_EVERY * this.#rate) / 1000) - sent
      const part = this.#waiting.subarray(0, due)
      this.#waiting = this.#waiting.subarray(part.length)
      sent += part.length
      if (part.length > 0) this.#outlet.send(part)
      if (this.#waiting.length > 0) return
      this.stop()
      this.#dripped()
    }, DRIP_EVERY)
  }
}
