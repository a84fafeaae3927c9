/** The processor time of a client's processes, in milliseconds, and whether they want a processor now. */
export interface Load {
  used: number
  wantsProcessor: boolean
}

/** Time that a client has had: while it wants a processor and gets none, no time passes for it. */
export class OwnTime {
  readonly #look: () => Load | undefined
  #used = 0

  /** `look` gives nothing where nobody can tell: then all time is its own. */
  constructor(look: () => Load | undefined) {
    this.#look = look
    this.#used = look()?.used ?? 0
  }

  /** Those of the last `ms` milliseconds that it had: what it used of a processor where it wants one, else all. */
  lap(ms: number): number {
    const load = this.#look()
    if (!load) return ms
    const used = load.used - this.#used
    this.#used = load.used
    return load.wantsProcessor ? Math.min(used, ms) : ms
  }

  isIdle(): boolean {
    return this.#look()?.wantsProcessor !== true
  }
}
