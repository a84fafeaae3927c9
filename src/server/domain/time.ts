import type { Duration } from '#contract/records/duration.ts'
import { utcDate } from '#contract/records/local-times.ts'

// In this file, dates are `YYYY-MM-DD`, times of day are `HH:MM`, and timestamps are milliseconds since the epoch.
const DAY = 24 * 60 * 60 * 1000

/** Adds calendar months in UTC, then milliseconds. One month after 31 January is the last day of February. */
export function addDuration(instant: number, { months, milliseconds }: Duration): number {
  if (months === 0) return instant + milliseconds
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months, 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.setUTCDate(Math.min(day, lastDay)) + milliseconds
}

export function addMonths(date: string, months: number): string {
  return utcDate(addDuration(Date.parse(date), { months, milliseconds: 0 }))
}

export function addDays(date: string, days: number): string {
  return utcDate(Date.parse(date) + days * DAY)
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY
}

export function dayOfWeek(date: string): number {
  return new Date(date).getUTCDay() || 7
}

export function toTimeOfDay(minutes: number): string {
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
