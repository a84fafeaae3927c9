import type { Places, StreamEnd } from '../../ports/journal.ts'

const MOST_ENDS = 1000

export class JournalPlaces implements Places {
  #ends: StreamEnd[] = []
  readonly #newest: () => number
  #given = 0
  #behind = 0

  constructor(newest: () => number) {
    this.#newest = newest
  }

  get ends(): readonly StreamEnd[] {
    return this.#ends
  }

  next(): number {
    const newest = this.#newest()
    this.#given = newest === this.#behind ? this.#given + 1 : 1
    this.#behind = newest
    return newest + this.#given / (this.#given + 1)
  }

  endStream(subscriptionId: string, at: number): void {
    if (this.#ends.push({ subscriptionId, at, place: this.next() }) > MOST_ENDS) this.#ends.shift()
  }

  clear(): void {
    this.#ends = []
  }
}
