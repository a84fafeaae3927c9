import { plainSlashes } from '../records/decoded-text.ts'

export const tokenMark = (n: number): string => `{{token:${n}}}`
export const digestMark = (n: number): string => `{{digest:${n}}}`

const MARK = /\{\{(token|digest):(\d+)\}\}/g

const WORD = /^[A-Za-z0-9]*/

type Part = string | { kind: 'token' | 'digest'; n: number }

export class Bindings {
  readonly #shapes: readonly string[]
  readonly #sha256: (text: string) => string
  readonly #values = new Map<number, string>()
  readonly #invent: (shape: string) => string

  /** `invent` generates a value of the given shape for a secret whose real value is not known yet. */
  constructor(
    shapes: readonly string[],
    { sha256, invent }: { sha256(text: string): string; invent(shape: string): string },
  ) {
    this.#shapes = shapes
    this.#sha256 = sha256
    this.#invent = invent
  }

  copy(): Bindings {
    const copy = new Bindings(this.#shapes, { sha256: this.#sha256, invent: this.#invent })
    for (const [n, value] of this.#values) copy.set(n, value)
    return copy
  }

  set(n: number, value: string): void {
    this.#values.set(n, value)
  }

  lacks(text: string): boolean {
    return toParts(text).some((part) => typeof part !== 'string' && !this.#values.has(part.n))
  }

  fill(text: string): string {
    if (!text.includes('{{')) return text
    return toParts(text)
      .map((part) => (typeof part === 'string' ? part : this.#valueOf(part)))
      .join('')
  }

  fillAll<T>(value: T): T {
    return mapTexts(value, (text) => this.fill(text)) as T
  }

  /** Reads a value that is not known yet from `given`, if both texts are equal up to that position. */
  learn(recorded: string, given: string): string {
    if (!recorded.includes('{{')) return recorded
    // In recorded texts that contain a secret, slashes are not escaped.
    const actual = recorded.includes('\\/') ? given : plainSlashes(given)
    let [at, isAlike] = [0, true]
    const texts: string[] = []
    for (const part of toParts(recorded)) {
      if (typeof part !== 'string' && part.kind === 'token' && isAlike && !this.#values.has(part.n)) {
        const shape = this.#shapes[part.n - 1] ?? ''
        const found = shape === ANY_WORD ? WORD.exec(actual.slice(at))![0] : actual.slice(at, at + shape.length)
        if (found !== '' && (shape === ANY_WORD || hasShape(found, shape))) this.#values.set(part.n, found)
      }
      const text = typeof part === 'string' ? part : this.#valueOf(part)
      isAlike &&= actual.startsWith(text, at)
      at += text.length
      texts.push(text)
    }
    return texts.join('')
  }

  hide(text: string, { digests = false } = {}): string {
    const values = [...this.#values]
    const marks = new Map(values.map(([n, value]) => [value, tokenMark(n)]))
    if (digests) for (const [n, value] of values) marks.set(this.#sha256(value), digestMark(n))
    // Shorter values may occur by coincidence. Longer values are replaced first.
    const long = [...marks.keys()].filter((value) => value.length >= 8).toSorted((a, b) => b.length - a.length)
    if (long.length === 0) return text
    const any = new RegExp(long.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g')
    return text.replace(any, (value) => marks.get(value)!)
  }

  #valueOf({ kind, n }: Exclude<Part, string>): string {
    const value = this.#values.get(n) ?? this.#invent(this.#shapes[n - 1] ?? '')
    this.#values.set(n, value)
    return kind === 'token' ? value : this.#sha256(value)
  }
}

export function mapTexts(value: unknown, change: (text: string, name: string) => unknown, name = ''): unknown {
  if (typeof value === 'string') return change(value, name)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change, key)]))
}

function toParts(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const mark of text.matchAll(MARK)) {
    parts.push(text.slice(at, mark.index), { kind: mark[1] as 'token' | 'digest', n: Number(mark[2]) })
    at = mark.index + mark[0].length
  }
  parts.push(text.slice(at))
  return parts
}

export function toShape(text: string): string {
  return text.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/[0-9]/g, '0')
}

export const ANY_WORD = ''

const alphabets: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  a: 'abcdef',
  '0': '0123456789',
}

/** Matches escape sequences of URLs, JSON and XML, which must remain valid. */
const PARTS = /%[Aa0]{2}|\\a[Aa0]{4}|\\a|&#?[Aa0]{2,8};|[Aa0]/g

/** `randomBelow` returns a random integer from 0 to its argument (exclusive). */
export function fillShape(given: string, randomBelow: (size: number) => number): string {
  const shape = given === ANY_WORD ? 'a'.repeat(32) : given
  const isNumber = /^0{2,}$/.test(shape)
  return shape.replace(PARTS, (part, at: number) => {
    if (part.length > 1) return fillEscape(part)
    // Numbers in JSON cannot have leading zeros.
    const letters = isNumber && at === 0 ? '123456789' : alphabets[part]!
    return letters[randomBelow(letters.length)]!
  })
}

function fillEscape(shape: string): string {
  if (shape.startsWith('%')) return '%2D'
  if (shape.startsWith('\\')) return shape.length > 2 ? '\\u002d' : '\\n'
  return shape.length === 4 ? '&lt;' : `&#${'45'.padStart(shape.length - 3, '0')};`
}

/** Compares only length and punctuation, because a generated value may have a digit in place of a letter. */
function hasShape(text: string, shape: string): boolean {
  const signs = (shaped: string) => shaped.replace(/[Aa0]/g, 'a')
  return signs(toShape(text)) === signs(shape)
}
