/** Ids, days and instants that servers make; those of one form may stand for each other. */
const forms = [
  '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '[A-Z]{1,3}-[0-9A-HJKMNP-TV-Z]{16}',
  '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d)?',
  '\\d{4}-\\d\\d-\\d\\d',
  '[0-9]{10}',
  'req-[0-9a-z]+',
  '[A-Za-z0-9]{19}',
  '[A-Za-z0-9]{24,96}',
]
const wholes = forms.map((form) => new RegExp(`^${form}$`))
/** The same within a text, such as an address. */
const within = new RegExp(`\\b(?:${forms.join('|')})\\b`, 'g')

/** A text whose ids, days and instants don't count. */
export const maskIds = (text: string): string => text.replace(within, '*')

/** Takes ids and instants of two runs for each other, as they first appear, each for one other. */
export class Unifier {
  readonly #there = new Map<string, string>()
  readonly #here = new Map<string, string>()

  /** Whether two values, or the ids within two texts, may be the same. */
  readonly equal = (recorded: unknown, actual: unknown): boolean => {
    if (typeof recorded !== 'string' || typeof actual !== 'string') return Object.is(recorded, actual)
    if (this.#isOne(recorded, actual)) return true
    const [before, after] = [recorded.match(within) ?? [], actual.match(within) ?? []]
    if (before.length === 0 || before.length !== after.length) return recorded === actual
    return maskIds(recorded) === maskIds(actual) && before.every((each, i) => this.#isOne(each, after[i]!))
  }

  /** The recorded text as the other run calls it. */
  readonly translate = (text: string): string => text.replace(within, (each) => this.#there.get(each) ?? each)

  #isOne(recorded: string, actual: string): boolean {
    const known = this.#there.get(recorded)
    if (known !== undefined) return known === actual
    if (this.#here.has(actual)) return false
    if (!wholes.some((form) => form.test(recorded) && form.test(actual))) return recorded === actual
    this.#there.set(recorded, actual)
    this.#here.set(actual, recorded)
    return true
  }
}
