/** Days are `YYYY-MM-DD`, times of day `HH:MM`, instants milliseconds since the epoch. */
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Days kept per zone; clients may ask for any, so the memory of them is bounded. */
const REMEMBERED_DAYS = 4096

/** The date that a calendar on the wall shows in that zone. */
export function localDate(instant: number, timeZone: string): string {
  return toDate(instant + offsetAt(instant, timeZone))
}

/**
 * The instants of a day's local times, given as minutes of the day. One that a spring day leaves out has none, one that
 * an autumn day has twice means the first.
 */
export function localDay(date: string, timeZone: string): (minute: number) => number | undefined {
  const midnight = Date.parse(date)
  // Zones reach 14 hours from Greenwich at the most: these two days enclose every instant of the local day.
  const before = offsetOfDay(midnight - DAY, timeZone)
  const after = offsetOfDay(midnight + 2 * DAY, timeZone)
  return (minute) => {
    const wall = midnight + minute * MINUTE
    if (before === after) return wall - before
    const candidates = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant, timeZone) === wall)
    return candidates.length > 0 ? Math.min(...candidates) : undefined
  }
}

export function findInstant(date: string, time: string, timeZone: string): number | undefined {
  return localDay(date, timeZone)(toMinutes(time))
}

export function addDays(date: string, days: number): string {
  return toDate(Date.parse(date) + days * DAY)
}

/** Whole days from one date to another; negative when the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY
}

/** 1 Monday to 7 Sunday, as ISO 8601 counts. */
export function dayOfWeek(date: string): number {
  return new Date(date).getUTCDay() || 7
}

/** The minute of the day that a time of day names. */
export function toMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

export function toTimeOfDay(minutes: number): string {
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

const formatters = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, Map<number, number>>()

/** Local time minus universal time at an instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formatters.set(timeZone, formatter)
  }
  // Ends in `GMT-04:00`; in the years before standard time in `GMT-04:56:02`.
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatter.format(instant)) ?? []
  const distance = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1000
  return sign === '-' ? -distance : distance
}

/** The offset at a midnight of universal time, remembered: a schedule asks for the same days again and again. */
function offsetOfDay(midnight: number, timeZone: string): number {
  let days = offsets.get(timeZone)
  if (!days || days.size >= REMEMBERED_DAYS) {
    days = new Map()
    offsets.set(timeZone, days)
  }
  const known = days.get(midnight)
  if (known !== undefined) return known
  const offset = offsetAt(midnight, timeZone)
  days.set(midnight, offset)
  return offset
}

function toDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
