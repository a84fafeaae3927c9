import { dayOfWeek } from '../time.ts'

const fixed = ['01-01', '06-19', '07-04', '11-11', '12-25']
/** Holidays whose date varies. Each has a month, a day of the week (1 is Monday) and its earliest day of the month. */
const movable = [
  ['01', 1, 15],
  ['02', 1, 15],
  ['05', 1, 25],
  ['09', 1, 1],
  ['10', 1, 8],
  ['11', 4, 22],
] as const

/** 5 U.S.C. 6103, sorted by date. Without the substitute days of weekend holidays. */
export function holidaysOf(year: number): string[] {
  const text = String(year).padStart(4, '0')
  return [...fixed.map((day) => `${text}-${day}`), ...movable.map((each) => dateOf(each, text))].sort()
}

export function isClosed(closedDates: readonly string[], date: string): boolean {
  const [year, month] = [date.slice(0, 4), date.slice(5, 7)]
  const isHoliday = movable.some((each) => each[0] === month && dateOf(each, year) === date)
  return closedDates.includes(date) || fixed.includes(date.slice(5)) || isHoliday
}

export function withHolidays(closedDates: readonly string[], date: string): string[] {
  const year = Number(date.slice(0, 4))
  return [...new Set([...closedDates, ...holidaysOf(year), ...holidaysOf(year + 1)])].sort()
}

function dateOf([month, weekday, first]: (typeof movable)[number], year: string): string {
  const day = first + ((weekday - dayOfWeek(`${year}-${month}-${String(first).padStart(2, '0')}`) + 7) % 7)
  return `${year}-${month}-${String(day).padStart(2, '0')}`
}
