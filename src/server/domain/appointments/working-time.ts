import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import { localDate, localDay, toMinutes } from '#contract/records/local-times.ts'
import { addDays, dayOfWeek } from '../time.ts'
import { isClosed } from './holidays.ts'

/** A center that is closed for longer has no working time. */
const MOST_DAYS = 60

/** Counts only a center's opening hours; gives nothing where it would take months. */
export function addWorkingTime(
  { hours, closedDates, timeZone }: ServiceCenter,
  from: number,
  milliseconds: number,
): number | undefined {
  let now = from
  let left = milliseconds
  const today = localDate(from, timeZone)
  for (let i = 0; i < MOST_DAYS; i++) {
    const date = addDays(today, i)
    if (isClosed(closedDates, date)) continue
    const instantOf = localDay(date, timeZone)
    const open = hours.filter((each) => each.dayOfWeek === dayOfWeek(date)).sort((a, b) => (a.open < b.open ? -1 : 1))
    for (const each of open) {
      // Hours may overlap, and each minute counts once.
      const start = Math.max(now, instantOf(toMinutes(each.open)) ?? now)
      const end = instantOf(toMinutes(each.close)) ?? start
      if (end - start >= left) return start + left
      if (end <= start) continue
      left -= end - start
      now = end
    }
  }
  return undefined
}
