const DAY = 86_400_000
/** Milliseconds by which derived days may stand apart: months are not of one length. */
const NEAR = 3 * DAY
/** Milliseconds by which a clock may run on while the other stands. */
const DRIFT = 600_000

/** A day or an instant in milliseconds since the epoch, and which of both it is. */
interface Moment {
  form: 'day' | 'compact day' | 'instant' | 'milliseconds'
  at: number
}

/**
 * Takes the days and instants of two clocks for each other: each pair stands as far apart as the clocks do, and an
 * instant that was met before keeps its other, or comes within the minutes by which one clock runs on alone.
 */
export class Moments {
  readonly #met = new Map<string, number>()
  #offset: number | undefined
  #hasMet = false

  /** Nothing where the two are no moments of one form. */
  equal(there: string | number, here: string | number): boolean | undefined {
    const [before, after] = [readMoment(there), readMoment(here)]
    if (!before || before.form !== after?.form) return undefined
    const offset = after.at - before.at
    if (!this.#isNear(offset)) return false
    if (there === here) return true
    const known = this.#met.get(String(there))
    if (known !== undefined && known !== after.at) return before.form === 'instant' && isWithin(after.at - known, DRIFT)
    if (known === undefined) keep(this.#met, String(there), after.at)
    return true
  }

  /** Those that are the same, or as far from it as the first others were. */
  #isNear(offset: number): boolean {
    if (isWithin(offset, NEAR)) this.#hasMet = true
    else if (this.#offset !== undefined) return isWithin(offset - this.#offset, NEAR)
    else if (this.#hasMet) return false
    else this.#offset = offset
    return true
  }
}

const isWithin = (value: number, most: number) => Math.abs(value) <= most

/** Moments that are kept: the oldest are forgotten first. */
const MOST = 20_000

function keep(map: Map<string, number>, name: string, value: number): void {
  if (map.size >= MOST) map.delete(map.keys().next().value!)
  map.set(name, value)
}

const FORMS = [
  ['instant', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/],
  ['day', /^\d{4}-\d\d-\d\d$/],
  ['compact day', /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/],
] as const

function readMoment(value: string | number): Moment | undefined {
  if (typeof value === 'number') {
    // Of this century.
    return value >= 946_684_800_000 && value < 4_102_444_800_000 ? { form: 'milliseconds', at: value } : undefined
  }
  const [form] = FORMS.find(([, pattern]) => pattern.test(value)) ?? []
  if (!form) return undefined
  const at = Date.parse(form === 'compact day' ? value.replace(/^(....)(..)/, '$1-$2-') : toUtc(value))
  return Number.isNaN(at) ? undefined : { form, at }
}

/** Without a zone they are UTC: which one does not matter here, as long as it is one. */
function toUtc(text: string): string {
  const iso = text.replace(' ', 'T')
  return iso.includes('T') && !/Z$|[+-]\d\d:\d\d$/.test(iso) ? `${iso}Z` : iso
}
