const DAY = 86_400_000
/** Tolerance for dates that are calculated from the time of a clock, because months differ in length. */
const NEAR = 3 * DAY
/** Tolerance in milliseconds, because one clock may run while the other is paused. */
const DRIFT = 600_000

interface Timestamp {
  form: 'day' | 'compact day' | 'instant' | 'milliseconds'
  at: number
}

/** Two timestamps match if they differ about as much as the clocks. A pair must match again within `DRIFT`. */
export class Timestamps {
  readonly #met = new Map<string, number>()
  #offset: number | undefined
  #hasSeen = false

  equal(there: string | number, here: string | number): boolean | undefined {
    const [before, after] = [readTimestamp(there), readTimestamp(here)]
    if (!before || before.form !== after?.form) return undefined
    const offset = after.at - before.at
    if (!this.#isNear(offset)) return false
    if (there === here) return true
    const known = this.#met.get(String(there))
    if (known !== undefined && known !== after.at) return before.form === 'instant' && isWithin(after.at - known, DRIFT)
    if (known === undefined) keep(this.#met, String(there), after.at)
    return true
  }

  #isNear(offset: number): boolean {
    if (isWithin(offset, NEAR)) this.#hasSeen = true
    else if (this.#offset !== undefined) return isWithin(offset - this.#offset, NEAR)
    else if (this.#hasSeen) return false
    else this.#offset = offset
    return true
  }
}

const isWithin = (value: number, most: number) => Math.abs(value) <= most

/** Maximum number of pairs, which limits memory in a long run. The oldest pair is dropped first. */
const MOST = 20_000

function keep(map: Map<string, number>, name: string, value: number): void {
  if (map.size >= MOST) map.delete(map.keys().next().value!)
  map.set(name, value)
}

/** Patterns for timestamps in text. The pattern for the longest format comes first. */
export const timestampForms = {
  instant: String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?`,
  day: String.raw`\d{4}-\d\d-\d\d`,
  'compact day': String.raw`20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`,
} as const
const FORMS = (['instant', 'day', 'compact day'] as const).map(
  (form) => [form, new RegExp(`^${timestampForms[form]}$`)] as const,
)

function readTimestamp(value: string | number): Timestamp | undefined {
  if (typeof value === 'number') {
    // Numbers outside this century are not treated as timestamps.
    return value >= 946_684_800_000 && value < 4_102_444_800_000 ? { form: 'milliseconds', at: value } : undefined
  }
  const [form] = FORMS.find(([, pattern]) => pattern.test(value)) ?? []
  if (!form) return undefined
  const at = Date.parse(form === 'compact day' ? value.replace(/^(....)(..)/, '$1-$2-') : toUtc(value))
  return Number.isNaN(at) ? undefined : { form, at }
}

/** A timestamp without a time zone is read as UTC on both sides, which is sufficient for a comparison. */
function toUtc(text: string): string {
  const iso = text.replace(' ', 'T')
  return iso.includes('T') && !/Z$|[+-]\d\d:\d\d$/.test(iso) ? `${iso}Z` : iso
}
