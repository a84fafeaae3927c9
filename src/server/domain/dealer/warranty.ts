import { utcDate } from '../../../contract/records/local-times.ts'
import { addMonths } from '../time.ts'

/** The last day of a warranty that begins on `from` (YYYY-MM-DD): 31 January plus a month ends on 28 or 29 February. */
export function warrantyEndDate(from: string, months: number): string {
  return addMonths(from, months)
}

/** Our choice: the end date is the last day in warranty, and days are those of UTC. `now` in milliseconds. */
export function inWarranty(endDate: string, now: number): boolean {
  return utcDate(now) <= endDate
}

/** Our choice: a purchase date is in the future when UTC has not reached it. */
export function isFutureDate(date: string, now: number): boolean {
  return date > utcDate(now)
}
