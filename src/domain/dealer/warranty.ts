/** The last day of a warranty that begins on `from` (YYYY-MM-DD): 31 January plus a month ends on 28 or 29 February. */
export function warrantyEndDate(from: string, months: number): string {
  const [year, month, day] = from.split('-').map(Number) as [number, number, number]
  const lastDayOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDayOfMonth))).toISOString().slice(0, 10)
}

/** Our choice: the end date is the last day in warranty, and days are those of UTC. `now` in milliseconds. */
export function inWarranty(endDate: string, now: number): boolean {
  return utcDate(now) <= endDate
}

/** Our choice: a purchase date is in the future when UTC has not reached it. */
export function isFutureDate(date: string, now: number): boolean {
  return date > utcDate(now)
}

/** YYYY-MM-DD. */
export function utcDate(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
