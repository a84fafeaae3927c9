export interface Load {
  used: number
  wantsProcessor: boolean
}

/** Measures the elapsed time, excluding time in which the client waits for a processor. */
export class OwnTime {
  readonly #look: () => Load | undefined
  #used = 0

  /** If `look` returns undefined, all elapsed time counts. */
  constructor(look: () => Load | undefined) {
    this.#look = look
    this.#used = look()?.used ?? 0
  }

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
