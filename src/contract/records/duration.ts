import { z } from 'zod'

/** Calendar months, whose length depends on where they begin, and exact milliseconds. */
export interface Duration {
  readonly months: number
  readonly milliseconds: number
}

/** ISO 8601, longer than nothing: `P1M`, `P7D`, `P1Y`, `PT10M`. */
export const duration = z
  .string()
  .refine((value) => findDuration(value) !== undefined, 'must be an ISO 8601 duration such as P1M or P7D')
  .meta({ example: 'P1M' })

const FORM = new RegExp(
  '^P(?:(\\d{1,3})Y)?(?:(\\d{1,4})M)?(?:(\\d{1,4})W)?(?:(\\d{1,5})D)?' +
    '(?:T(?=\\d)(?:(\\d{1,6})H)?(?:(\\d{1,8})M)?(?:(\\d{1,9}(?:[.,]\\d{1,9})?)S)?)?$',
)

/** Nothing when the text is no duration, or one of no length. */
export function findDuration(value: string): Duration | undefined {
  const found = FORM.exec(value)
  if (!found) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((digits) => (digits === undefined ? 0 : Number(digits.replace(',', '.'))))
  const exact = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  const parsed = { months: years * 12 + months, milliseconds: Math.round(exact * 1000) }
  return parsed.months + parsed.milliseconds > 0 ? parsed : undefined
}

/** A month counts as the twelfth of 365.25 days where what lasts so long is no matter of the calendar. */
const MONTH = (365.25 / 12) * 24 * 60 * 60 * 1000
const LONGEST = 120 * MONTH
const NOTHING = /^P(?=.)(?:0+[YMWD])*(?:T(?:0+[HMS])+)?$/

/** ISO 8601 from `PT0S` to P10Y, for choices; above nothing where it must last, or a word in its place. */
export function durationOf(least: 'PT0S' | 'more', word?: string): z.ZodType<string> {
  const example = least === 'PT0S' ? 'PT1H or PT0S' : 'PT1H, longer than nothing'
  const other = word === undefined ? '' : `${word} or `
  return z
    .string()
    .refine((value) => {
      if (value === word) return true
      const length = findDuration(value) || NOTHING.test(value) ? millisecondsOf(value) : Infinity
      return length <= LONGEST && (length > 0 || least === 'PT0S')
    }, `must be ${other}an ISO 8601 duration such as ${example}, at most P10Y`)
    .describe(`${other}a duration such as PT1H`)
}

export function millisecondsOf(value: string): number {
  const { months, milliseconds } = findDuration(value) ?? { months: 0, milliseconds: 0 }
  return months * MONTH + milliseconds
}

/** For text that `duration` has let through. */
export function requireDuration(value: string): Duration {
  const found = findDuration(value)
  if (!found) throw new Error(`${value} is no duration`)
  return found
}
