import { finish, type Work } from './long-work.ts'

/** A shorter text could stand anywhere by chance. */
export const SHORTEST = 8

/** A text with letters and digits is hardly one that means something elsewhere too. */
export const isPlain = (secret: string): boolean => !/\d/.test(secret) || !/[a-z]/i.test(secret)

export const isRepeatable = (secret: string): boolean => secret.length >= SHORTEST && !isPlain(secret)

const BASE = 0x01000193
/** The rolling sum loses the leaving letter with this weight. */
const LEAVING = Array.from({ length: SHORTEST }).reduce<number>((power) => Math.imul(power, BASE), 1)
const BITS = 18
/** A rest comes after so many letters and lengths. */
const TRIES = 8192

/**
 * Rabin and Karp's search finds all secrets in one pass: a rolling sum over eight letters says where one may begin, and
 * sums of whole secrets spare most comparisons, which are long where texts repeat themselves.
 */
export class SecretSearch {
  readonly #secrets = new Set<string>()
  /** The longest secret with the same beginning is tried first. */
  readonly #lengths = new Map<string, number[]>()
  readonly #sums = new Uint8Array(1 << BITS)
  readonly #wholes = new Set<number>()

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret)
  }

  add(secret: string): void {
    if (secret.length < SHORTEST || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    const start = secret.slice(0, SHORTEST)
    const lengths = this.#lengths.get(start) ?? []
    if (!lengths.includes(secret.length)) {
      this.#lengths.set(
        start,
        [...lengths, secret.length].sort((a, b) => b - a),
      )
    }
    this.#sums[placeOf(new Sums(start).of(0, SHORTEST))] = 1
    this.#wholes.add(new Sums(secret).of(0, secret.length))
  }

  replace(text: string, write: (secret: string) => string): string {
    return finish(this.replaceInPieces(text, write))
  }

  *replaceInPieces(text: string, write: (secret: string) => string): Work<string> {
    let [written, end] = ['', 0]
    for (const found of this.#find(text)) {
      if (!found) {
        yield
        continue
      }
      written += text.slice(end, found.at) + write(found.secret)
      end = found.at + found.secret.length
    }
    return end === 0 ? text : written + text.slice(end)
  }

  *countInPieces(text: string): Work<number> {
    let count = 0
    for (const found of this.#find(text)) {
      if (found) count++
      else yield
    }
    return count
  }

  /** Gives nothing where the work may rest. */
  *#find(text: string): Generator<{ at: number; secret: string } | undefined> {
    if (this.#secrets.size === 0) return
    let sums: Sums | undefined
    let [sum, from, left] = [0, 0, TRIES]
    for (let i = 0; i < text.length; i++) {
      if (left-- <= 0) {
        left = TRIES
        yield undefined
      }
      sum = (Math.imul(sum, BASE) + text.charCodeAt(i)) | 0
      const at = i - SHORTEST + 1
      if (at > from) sum = (sum - Math.imul(text.charCodeAt(at - 1), LEAVING)) | 0
      if (at < from || this.#sums[placeOf(sum)] === 0) continue
      const lengths = this.#lengths.get(text.slice(at, at + SHORTEST))
      if (lengths === undefined) continue
      left -= lengths.length
      sums ??= new Sums(text)
      const secret = this.#startingAt(text, at, lengths, sums)
      if (secret === undefined) continue
      yield { at, secret }
      i = at + secret.length - 1
      from = i + 1
      sum = 0
    }
  }

  #startingAt(text: string, at: number, lengths: readonly number[], sums: Sums): string | undefined {
    for (const length of lengths) {
      if (at + length > text.length || !this.#wholes.has(sums.of(at, length))) continue
      const found = text.slice(at, at + length)
      if (this.#secrets.has(found)) return found
    }
    return undefined
  }
}

/** Powers of the base, which are the same for all texts. */
let powers: Int32Array = Int32Array.of(1)

/** Tells the sum of any part of a text at once. */
class Sums {
  readonly #upTo: Int32Array

  constructor(text: string) {
    const upTo = new Int32Array(text.length + 1)
    for (let i = 0; i < text.length; i++) upTo[i + 1] = (Math.imul(upTo[i]!, BASE) + text.charCodeAt(i)) | 0
    this.#upTo = upTo
  }

  of(at: number, length: number): number {
    if (length >= powers.length) powers = powersUpTo(length * 2)
    return (this.#upTo[at + length]! - Math.imul(this.#upTo[at]!, powers[length]!)) | 0
  }
}

function powersUpTo(most: number): Int32Array {
  const all = new Int32Array(most + 1).fill(1)
  for (let i = 1; i <= most; i++) all[i] = Math.imul(all[i - 1]!, BASE)
  return all
}

function placeOf(sum: number): number {
  return (sum ^ (sum >>> BITS)) & ((1 << BITS) - 1)
}
