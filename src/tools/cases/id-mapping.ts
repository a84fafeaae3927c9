import { GENERATED } from './list-alignment.ts'
import { timestampForms, Timestamps } from './timestamps.ts'

/** Formats of generated IDs. An ID is paired only with an ID of the same format. */
const drawn = [
  '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '[A-Z]{1,3}-[0-9A-HJKMNP-TV-Z]{16}',
  '[0-9]{10}',
  'req-[0-9a-z]+',
  '[A-Za-z0-9]{19}',
  '[A-Za-z0-9]{24,96}',
]
const [uuid, prefixed, ...others] = drawn
const fullPatterns = drawn.map((form) => new RegExp(`^${form}$`))
const within = new RegExp(`\\b(?:${[uuid, prefixed, ...Object.values(timestampForms), ...others].join('|')})\\b`, 'g')
/** Request IDs are not paired, because no later request refers to them. */
const PASSING = /^req-[0-9a-z]+$/
/** Each server uses its own format for these values. */
const OPAQUE = /(?:^|\.)(?:slotId|timeSlot)$/
const EVENT_ID = /^\d{1,20}-\d{1,20}$/
const WORDS = /[A-Za-z0-9][\w.:+-]*/g

export const maskIds = (text: string): string => text.replace(within, '*')

/** Maximum number of pairs, which limits memory in a long run. The least recently used pair is dropped first. */
const MOST = 20_000

/** Pairs the IDs and timestamps of two runs one to one, in the order in which they first appear. */
export class IdMapping {
  readonly #there = new Map<string, string>()
  readonly #here = new Map<string, string>()
  readonly #moments = new Timestamps()

  /** `path` is the JSON path of the value. It shows whether the field contains an opaque value. */
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

  /** Paired IDs become the actual ID, IDs in both lists stay, all others become `*`. Records no new pairs. */
  readonly mapIds = (recorded: readonly string[], actual: readonly string[]): [string[], string[]] => {
    const named = (texts: readonly string[]) => new Set(texts.flatMap((text) => text.match(within) ?? []))
    const [before, after] = [named(recorded), named(actual)]
    const own = (each: string) => (before.has(each) && after.has(each) ? each : '*')
    return [
      recorded.map((text) => text.replace(within, (each) => this.#name(this.#there.get(each), each) ?? own(each))),
      actual.map((text) => text.replace(within, (each) => this.#name(each, this.#here.get(each)) ?? own(each))),
    ]
  }

  /** Adds markers around the ID if each side generated a different ID. */
  #name(actual: string | undefined, recorded: string | undefined): string | undefined {
    if (actual === undefined || recorded === undefined) return undefined
    const isGenerated = actual !== recorded && fullPatterns.some((form) => form.test(actual))
    return isGenerated ? `${GENERATED[0]}${actual}${GENERATED[1]}` : actual
  }

  #isOne(recorded: string, actual: string): boolean {
    const isEqual = recorded === actual
    const moment = this.#moments.equal(recorded, actual)
    if (moment !== undefined) {
      if (moment && !isEqual && !this.#there.has(recorded)) this.#pair(recorded, actual)
      return moment
    }
    if (PASSING.test(recorded) && PASSING.test(actual)) return true
    return fullPatterns.some((form) => form.test(recorded) && form.test(actual))
      ? this.#pair(recorded, actual)
      : isEqual
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
