/** An error that reports a violated guarantee, which is a defect of the program. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

export function violated(promise: string, what: string): never {
  throw new Violation(`${promise}: ${what}`)
}

/** The ticks at which a request was sent and at which its response arrived. */
export interface Window {
  call: number
  ret: number
}

/**
 * What clients know about when a state began and ended. Whether the state exists is unknown between a request and its
 * response. After a lost response, it is unknown until the next audit.
 */
export class Span {
  readonly mayFrom: number
  isFrom: number
  mayTo = Infinity
  /** Ticks of the requests that may have ended the state, without those that were rejected. */
  #ends: number[] = []

  constructor({ call }: Pick<Window, 'call'>, isFrom = Infinity) {
    this.mayFrom = call
    this.isFrom = isFrom
  }

  wasSure({ call, ret }: Window): boolean {
    return this.isFrom <= call && this.#ends.every((end) => ret < end)
  }

  wasPossible({ call, ret }: Window): boolean {
    return this.mayFrom <= ret && call <= this.mayTo
  }

  isSure(tick: number): boolean {
    return this.wasSure({ call: tick, ret: tick })
  }

  mayEnd(tick: number): void {
    this.#ends.push(tick)
  }

  goesOn(tick: number): void {
    this.#ends = this.#ends.filter((end) => end !== tick)
  }

  ends({ call, ret }: Window): void {
    this.mayEnd(call)
    this.mayTo = Math.min(this.mayTo, ret)
  }

  /**
   * Returns the span as it applies to a copy of the record that was made during the window. A state that had already
   * ended stays ended.
   */
  copied(window: Window): Span {
    return this.wasPossible(window) ? new Span(window, this.wasSure(window) ? window.ret : Infinity) : this
  }
}
