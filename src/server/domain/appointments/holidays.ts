import { dayOfWeek } from '../time.ts'

const fixed = ['01-01', '06-19', '07-04', '11-11', '12-25']
/** Each row has the month, the day of the week (1 Monday), and the first day of the month that it can be. */
const movable = [
  ['01', 1, 15],
  ['02', 1, 15],
  ['05', 1, 25],
  ['09', 1, 1],
  ['10', 1, 8],
  ['11', 4, 22],
] as const

/** Few years are asked for again and again, so they are remembered. */
const known = new Map<number, ReadonlySet<string>>()

/** The legal public holidays of 5 U.S.C. 6103 in a year, in order; our choice: the days themselves, none observed. */
export function holidaysOf(year: number): ReadonlySet<string> {
  const found = known.get(year)
  if (found) return found
  const prefix = String(year).padStart(4, '0')
  const days = movable.map(([month, weekday, first]) => {
    const day = first + ((weekday - dayOfWeek(`${prefix}-${month}-${String(first).padStart(2, '0')}`) + 7) % 7)
    return `${month}-${String(day).padStart(2, '0')}`
  })
  const dates = new Set([...fixed, ...days].sort().map((day) => `${prefix}-${day}`))
  if (known.size > 100) known.clear()
  known.set(year, dates)
  return dates
}

/** A place is closed by its own record, or by a holiday. */
export function isClosed(closedDates: readonly string[], date: string): boolean {
  return closedDates.includes(date) || holidaysOf(Number(date.slice(0, 4))).has(date)
}

export function withHolidays(closedDates: readonly string[], date: string): string[] {
  const year = Number(date.slice(0, 4))
  return [...new Set([...closedDates, ...holidaysOf(year), ...holidaysOf(year + 1)])].sort()
}
