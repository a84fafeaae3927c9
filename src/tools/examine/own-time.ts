export interface Load {
  used: number
  wantsProcessor: boolean
}

/** While a client wants a processor and gets none, no time passes for it. */
export class OwnTime {
  readonly #look: () => Load | undefined
  #used = 0

  /** Where `look` gives nothing, all time counts as the client's own. */
  constructor(look: () => Load | undefined) {
    this.#look = look
    this.#used = look()?.used ?? 0
  }

  /** Gives the part of the last `ms` milliseconds that the client had. */
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
