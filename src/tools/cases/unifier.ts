import { DRAWN } from './list-alignment.ts'
import { Moments } from './moments.ts'

/** Ids that servers draw; those of one form may stand for each other. */
const drawn = [
  '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '[A-Z]{1,3}-[0-9A-HJKMNP-TV-Z]{16}',
  '[0-9]{10}',
  'req-[0-9a-z]+',
  '[A-Za-z0-9]{19}',
  '[A-Za-z0-9]{24,96}',
]
const moments = [
  '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d)?',
  '\\d{4}-\\d\\d-\\d\\d',
  '20\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])',
]
const [uuid, prefixed, ...others] = drawn
const wholes = drawn.map((form) => new RegExp(`^${form}$`))
/** The same within a text, such as an address. */
const within = new RegExp(`\\b(?:${[uuid, prefixed, ...moments, ...others].join('|')})\\b`, 'g')
/** A request's own id, which nobody names again. */
const PASSING = /^req-[0-9a-z]+$/
/** Fields whose values are another server's own, whatever they look like, and those of event ids. */
const OPAQUE = /(?:^|\.)(?:slotId|timeSlot)$/
const EVENT_ID = /^\d{1,20}-\d{1,20}$/
/** Words of a text that may be such a value. */
const WORDS = /[A-Za-z0-9][\w.:+-]*/g

/** A text whose ids, days and instants don't count. */
export const maskIds = (text: string): string => text.replace(within, '*')

/** Pairs that are kept, so that a long run stays flat: the one that was used longest ago goes first. */
const MOST = 20_000

/** Takes ids and instants of two runs for each other, as they first appear, each for one other. */
export class Unifier {
  readonly #there = new Map<string, string>()
  readonly #here = new Map<string, string>()
  readonly #moments = new Moments()

  /** Whether two values, or the ids within two texts, may be the same; `path` tells the field. */
  readonly equal = (recorded: unknown, actual: unknown, path = ''): boolean => {
    if (typeof recorded === 'number' && typeof actual === 'number') {
      return recorded === actual || this.#moments.equal(recorded, actual) === true
    }
    if (typeof recorded !== 'string' || typeof actual !== 'string') return Object.is(recorded, actual)
    if (/(?:^|\.)requestId$/.test(path)) return true
    if (OPAQUE.test(path) || (EVENT_ID.test(recorded) && EVENT_ID.test(actual))) return this.#pair(recorded, actual)
    if (this.#isOne(recorded, actual)) return true
    const [before, after] = [recorded.match(within) ?? [], actual.match(within) ?? []]
    if (before.length === 0 || before.length !== after.length) return recorded === actual
    return maskIds(recorded) === maskIds(actual) && before.every((each, i) => this.#isOne(each, after[i]!))
  }

  readonly translate = (text: string): string => translateBy(this.#there, text)

  readonly translateBack = (text: string): string => translateBy(this.#here, text)

  /**
   * The look of two lists' entries, as text, for the question which of them are the same: ids that are known by
   * their other's name, those in both lists by their own, and the rest not at all. Nothing is learned.
   */
  readonly liken = (recorded: readonly string[], actual: readonly string[]): [string[], string[]] => {
    const named = (texts: readonly string[]) => new Set(texts.flatMap((text) => text.match(within) ?? []))
    const [before, after] = [named(recorded), named(actual)]
    const own = (each: string) => (before.has(each) && after.has(each) ? each : '*')
    return [
      recorded.map((text) => text.replace(within, (each) => this.#name(this.#there.get(each), each) ?? own(each))),
      actual.map((text) => text.replace(within, (each) => this.#name(each, this.#here.get(each)) ?? own(each))),
    ]
  }

  /** An id that each side has drawn for itself stands within marks. */
  #name(actual: string | undefined, recorded: string | undefined): string | undefined {
    if (actual === undefined || recorded === undefined) return undefined
    const isDrawn = actual !== recorded && wholes.some((form) => form.test(actual))
    return isDrawn ? `${DRAWN[0]}${actual}${DRAWN[1]}` : actual
  }

  #isOne(recorded: string, actual: string): boolean {
    const isEqual = recorded === actual
    const moment = this.#moments.equal(recorded, actual)
    if (moment !== undefined) {
      if (moment && !isEqual && !this.#there.has(recorded)) this.#pair(recorded, actual)
      return moment
    }
    if (PASSING.test(recorded) && PASSING.test(actual)) return true
    return wholes.some((form) => form.test(recorded) && form.test(actual)) ? this.#pair(recorded, actual) : isEqual
  }

  #pair(recorded: string, actual: string): boolean {
    const known = this.#there.get(recorded)
    if (known !== undefined) {
      this.#there.delete(recorded)
      this.#there.set(recorded, known)
      return known === actual
    }
    if (this.#here.has(actual)) return recorded === actual
    if (this.#there.size >= MOST) {
      const [oldest, other] = this.#there.entries().next().value!
      this.#there.delete(oldest)
      this.#here.delete(other)
    }
    this.#there.set(recorded, actual)
    this.#here.set(actual, recorded)
    return true
  }
}

function translateBy(pairs: ReadonlyMap<string, string>, text: string): string {
  if (pairs.size === 0) return text
  return text.replace(WORDS, (word) => pairs.get(word) ?? word.replace(within, (each) => pairs.get(each) ?? each))
}
