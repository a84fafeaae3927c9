/** Depends only on the seed: four bytes of the SHA-256 of the seed and a counter. */
export class Chance {
  readonly #sha256: (text: string) => string
  readonly #seed: string
  #digest = ''
  #drawn = 0

  constructor(sha256: (text: string) => string, seed: string) {
    this.#sha256 = sha256
    this.#seed = seed
  }

  below(limit: number): number {
    const at = (this.#drawn % 8) * 8
    if (at === 0) this.#digest = this.#sha256(`${this.#seed}:${this.#drawn}`)
    this.#drawn++
    return Math.floor((Number.parseInt(this.#digest.slice(at, at + 8), 16) / 2 ** 32) * limit)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  shuffle<T>(values: readonly T[]): T[] {
    const shuffled = [...values]
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!]
    }
    return shuffled
  }

  cut<T extends string | Buffer>(whole: T, pieces: number): T[] {
    const cuts = Array.from({ length: pieces - 1 }, () => 1 + this.below(whole.length - 1))
    const ends = [...new Set([...cuts, whole.length])].sort((a, b) => a - b)
    return ends.map((end, i) => (whole.slice as (from: number, to: number) => T).call(whole, ends[i - 1] ?? 0, end))
  }
}
