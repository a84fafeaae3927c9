import * as z from 'zod'
import { findNearest } from './nearest.ts'

/** The number of months is separate from the milliseconds, because months do not have a fixed length. */
export interface Duration {
  readonly months: number
  readonly milliseconds: number
}

export const duration = z
  .string()
  .refine((value) => findDuration(value) !== undefined, 'must be an ISO 8601 duration such as P1M or P7D')
  .meta({ example: 'P1M' })

const FORM = new RegExp(
  '^P(?:(\\d{1,3})Y)?(?:(\\d{1,4})M)?(?:(\\d{1,4})W)?(?:(\\d{1,5})D)?' +
    '(?:T(?=\\d)(?:(\\d{1,6})H)?(?:(\\d{1,8})M)?(?:(\\d{1,9}(?:[.,]\\d{1,9})?)S)?)?$',
)

/** Returns undefined for invalid text and for durations of length 0. */
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

const MONTH = (365.25 / 12) * 24 * 60 * 60 * 1000
const LONGEST = 120 * MONTH

/** Accepts a duration of at most P10Y. Also accepts `word` (for example `none`) if it is defined. */
export function durationOf(word?: string): z.ZodType<string> {
  const other = word === undefined ? '' : `${word} or `
  return z
    .string()
    .refine(
      (value) => {
        if (value === word) return true
        return findDuration(value) !== undefined && millisecondsOf(value) <= LONGEST
      },
      {
        error: ({ input }) => {
          const nearest = word === undefined ? undefined : findNearest(String(input), [word])
          const hint = nearest === undefined ? '' : `; the nearest is ${nearest}`
          return `must be ${other}an ISO 8601 duration such as PT1H, longer than zero and at most P10Y${hint}`
        },
      },
    )
    .describe(`${other}a duration such as PT1H`)
}

export function millisecondsOf(value: string): number {
  const { months, milliseconds } = findDuration(value) ?? { months: 0, milliseconds: 0 }
  return months * MONTH + milliseconds
}

export function requireDuration(value: string): Duration {
  const found = findDuration(value)
  if (!found) throw new Error(`${value} is not a duration`)
  return found
}
