/** A guarantee was violated, so the run has found a defect. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

export function violated(promise: string, what: string): never {
  throw new Violation(`${promise}: ${what}`)
}

/** The ticks at which a request was sent and its response arrived. */
export interface Window {
  call: number
  ret: number
}

/**
 * What clients know about the period in which a state lasted. The state is unknown between a request and its response,
 * and after a lost response until the next audit.
 */
export class Span {
  readonly mayFrom: number
  isFrom: number
  mayTo = Infinity
  /** Ticks of the requests to end the state that were not rejected. */
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

  /** Returns the span in a copy that was made during the window. A state that had ended stays ended. */
  copied(window: Window): Span {
    return this.wasPossible(window) ? new Span(window, this.wasSure(window) ? window.ret : Infinity) : this
  }
}
