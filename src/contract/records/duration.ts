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

/** For text that `duration` has let through. */
export function requireDuration(value: string): Duration {
  const found = findDuration(value)
  if (!found) throw new Error(`${value} is no duration`)
  return found
}
