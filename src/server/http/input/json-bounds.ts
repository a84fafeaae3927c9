/** Deeper JSON parses, and then overflows every recursive walk. */
const MAX_DEPTH = 64
/** Checking more values one by one would hold up everybody. */
const MOST_VALUES = 10_000

/**
 * The text is scanned before anything is made of it. Each value but the first stands behind a comma, or behind the
 * bracket of a list or object that is not empty.
 */
export class ExcessScan {
  readonly #bytes: Buffer
  readonly #mostValues: number
  #at = 0
  #depth = 0
  #values = 1
  #inString = false

  /** `values` may raise the usual bound. */
  constructor(bytes: Buffer, values = 0) {
    this.#bytes = bytes
    this.#mostValues = Math.max(MOST_VALUES, values)
  }

  /** Continues where the last look ended, and names the exceeded bound. */
  look(until: number): string | undefined {
    const [bytes, mostValues] = [this.#bytes, this.#mostValues]
    let [at, depth, values, inString] = [this.#at, this.#depth, this.#values, this.#inString]
    for (; at < until; at++) {
      const byte = bytes[at]
      if (inString) {
        if (byte === 0x5c) at++
        else if (byte === 0x22) inString = false
      } else if (byte === 0x22) inString = true
      else if (byte === 0x5b || byte === 0x7b) {
        if (!isEmpty(bytes, at)) values++
        if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
      } else if (byte === 0x5d || byte === 0x7d) depth--
      else if (byte === 0x2c) values++
      if (values > mostValues) return `has more than ${Math.floor(mostValues)} values`
    }
    ;[this.#at, this.#depth, this.#values, this.#inString] = [at, depth, values, inString]
    return undefined
  }
}

function isEmpty(bytes: Buffer, opening: number): boolean {
  let at = opening + 1
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return bytes[at] === 0x5d || bytes[at] === 0x7d
}
