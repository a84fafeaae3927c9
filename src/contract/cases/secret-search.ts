/** A shorter text could stand anywhere by chance. */
export const SHORTEST = 8

const BASE = 0x01000193
/** The rolling sum loses the leaving letter with this weight. */
const LEAVING = Array.from({ length: SHORTEST }).reduce<number>((power) => Math.imul(power, BASE), 1)
const BITS = 18

/** Rabin and Karp's search finds all secrets in one pass: a rolling sum over eight letters says where one may begin. */
export class SecretSearch {
  readonly #secrets = new Set<string>()
  /** The longest secret with the same beginning is tried first. */
  readonly #lengths = new Map<string, number[]>()
  readonly #sums = new Uint8Array(1 << BITS)

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret)
  }

  add(secret: string): void {
    if (secret.length < SHORTEST || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    const start = secret.slice(0, SHORTEST)
    const lengths = [...(this.#lengths.get(start) ?? []), secret.length]
    this.#lengths.set(
      start,
      [...new Set(lengths)].sort((a, b) => b - a),
    )
    let sum = 0
    for (let i = 0; i < SHORTEST; i++) sum = (Math.imul(sum, BASE) + start.charCodeAt(i)) | 0
    this.#sums[placeOf(sum)] = 1
  }

  replace(text: string, write: (secret: string) => string): string {
    let [written, end] = ['', 0]
    for (const { at, secret } of this.#find(text)) {
      written += text.slice(end, at) + write(secret)
      end = at + secret.length
    }
    return end === 0 ? text : written + text.slice(end)
  }

  count(text: string): number {
    let count = 0
    for (const _ of this.#find(text)) count++
    return count
  }

  *#find(text: string): Generator<{ at: number; secret: string }> {
    if (this.#secrets.size === 0) return
    let [sum, from] = [0, 0]
    for (let i = 0; i < text.length; i++) {
      sum = (Math.imul(sum, BASE) + text.charCodeAt(i)) | 0
      const at = i - SHORTEST + 1
      if (at > from) sum = (sum - Math.imul(text.charCodeAt(at - 1), LEAVING)) | 0
      if (at < from || this.#sums[placeOf(sum)] === 0) continue
      const secret = this.#startingAt(text, at)
      if (secret === undefined) continue
      yield { at, secret }
      i = at + secret.length - 1
      from = i + 1
      sum = 0
    }
  }

  #startingAt(text: string, at: number): string | undefined {
    for (const length of this.#lengths.get(text.slice(at, at + SHORTEST)) ?? []) {
      const found = text.slice(at, at + length)
      if (this.#secrets.has(found)) return found
    }
    return undefined
  }
}

function placeOf(sum: number): number {
  return (sum ^ (sum >>> BITS)) & ((1 << BITS) - 1)
}
