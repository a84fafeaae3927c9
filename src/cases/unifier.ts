/** Forms of ids and instants that servers make; equal forms may stand for each other. */
const forms: readonly RegExp[] = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[0-9]{10}$/,
  /^[A-Z]{1,3}-[0-9A-HJKMNP-TV-Z]{16}$/,
  /^req-[0-9a-z]+$/,
  /^[A-Za-z0-9]{24,96}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/,
]

/** Where ids and instants stand within a text, such as an address. */
const within =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[A-Z]{1,3}-[0-9A-HJKMNP-TV-Z]{16}\b|\b[0-9]{10}\b|\breq-[0-9a-z]+\b|\b[A-Za-z0-9]{24,96}\b|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g

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
    const rest = (text: string) => text.replace(within, '\u0000')
    return rest(recorded) === rest(actual) && before.every((each, i) => this.#isOne(each, after[i]!))
  }

  /** What was recorded, as it is called in the other run. */
  readonly translate = (text: string): string => text.replace(within, (each) => this.#there.get(each) ?? each)

  #isOne(recorded: string, actual: string): boolean {
    const known = this.#there.get(recorded)
    if (known !== undefined) return known === actual
    if (this.#here.has(actual)) return false
    if (!forms.some((form) => form.test(recorded) && form.test(actual))) return recorded === actual
    this.#there.set(recorded, actual)
    this.#here.set(actual, recorded)
    return true
  }
}
