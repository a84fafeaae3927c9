// In this file, dates are `YYYY-MM-DD`, times of day are `HH:MM`, and timestamps are milliseconds since the epoch.
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Time zone offsets change only at a quarter of an hour, so they are cached for each quarter. */
const QUARTER = 15 * MINUTE
const MOST_OFFSETS = 16_384

export function utcDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

export function localDate(instant: number, timeZone: string): string {
  return utcDate(instant + offsetAt(instant, timeZone))
}

/** Returns undefined for a minute that daylight saving time skips, and the first of two for one that occurs twice. */
export function localDay(date: string, timeZone: string): (minute: number) => number | undefined {
  const midnight = Date.parse(date)
  // UTC offsets are at most 14 hours, so the local day is between these two timestamps.
  const before = offsetAt(midnight - DAY, timeZone)
  const after = offsetAt(midnight + 2 * DAY, timeZone)
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

export function toMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

const formatters = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()

function offsetAt(instant: number, timeZone: string): number {
  const quarter = Math.floor(instant / QUARTER)
  const key = `${quarter} ${timeZone}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    if (offsets.size >= MOST_OFFSETS) offsets.clear()
    offset = readOffset(quarter * QUARTER, timeZone)
    offsets.set(key, offset)
  }
  return offset
}

function readOffset(instant: number, timeZone: string): number {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formatters.set(timeZone, formatter)
  }
  // Before standard time was introduced, offsets had seconds, as in `GMT-04:56:02`.
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatter.format(instant)) ?? []
  const distance = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1000
  return sign === '-' ? -distance : distance
}
