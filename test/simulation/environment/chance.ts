/** Random numbers that depend only on a seed. */
export class Chance {
  #state: number

  constructor(...seed: readonly (number | string)[]) {
    let hash = 0x811c9dc5
    for (const character of seed.join(' ')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
    this.#state = hash >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  below(bound: number): number {
    return this.next() % bound
  }

  once(times: number): boolean {
    return this.next() % times === 0
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  weighted<T>(list: readonly (readonly [T, number])[]): T {
    let left = this.below(list.reduce((sum, [, weight]) => sum + weight, 0))
    for (const [each, weight] of list) {
      left -= weight
      if (left < 0) return each
    }
    throw new Error('weights must be positive')
  }
}
