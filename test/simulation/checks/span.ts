/** A violation of a promise: the run has found a defect. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

export function violated(promise: string, what: string): never {
  throw new Violation(`${promise}: ${what}`)
}

/** When a call was made and when its answer came, in ticks of the model. */
export interface Window {
  call: number
  ret: number
}

/**
 * What clients know about how long a state lasted. Between a call and its response it is unknown, and after a lost
 * response until the next audit.
 */
export class Span {
  readonly mayFrom: number
  isFrom: number
  mayTo = Infinity
  /** Calls that ask for its end, unless they were refused. */
  #ends: number[] = []

  constructor({ call }: Pick<Window, 'call'>, isFrom = Infinity) {
    this.mayFrom = call
    this.isFrom = isFrom
  }

  /** Returns whether the state certainly lasted for the whole window. */
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

  /** That call was refused. */
  goesOn(tick: number): void {
    this.#ends = this.#ends.filter((end) => end !== tick)
  }

  ends({ call, ret }: Window): void {
    this.mayEnd(call)
    this.mayTo = Math.min(this.mayTo, ret)
  }

  /** As it is in a copy that was made at some time of the window: what was over stays over. */
  copied(window: Window): Span {
    return this.wasPossible(window) ? new Span(window, this.wasSure(window) ? window.ret : Infinity) : this
  }
}
