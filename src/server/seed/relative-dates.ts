import { findInstant, localDate, utcDate } from '#contract/records/local-times.ts'
import { addDays, addMonths } from '../domain/time.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const DISTANCE = '([+-])P(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?)?'
const ZONE = '([A-Z][A-Za-z_]+(?:/[A-Za-z_]+)+)'
const ANY = new RegExp(`^(?:date )?${DISTANCE}(?: |$)|\\{${DISTANCE} in `)
const INSTANT = new RegExp(`^(date )?${DISTANCE}$`)
const MONTHS_LATER = new RegExp(`^date ${DISTANCE} \\+P(\\d+)M$`)
const LOCAL = new RegExp(`^(?:date )?${DISTANCE}(?: at (\\d\\d:\\d\\d))? in ${ZONE}$`)
const SLOT_DAY = new RegExp(`\\{${DISTANCE} in ${ZONE}\\}`, 'g')

type Resolve = (at: number) => unknown

/**
 * Returns a function that resolves the relative dates of a record, or undefined if it has none. The positions of the
 * dates are found only once, and then each world resolves the dates. In a world that starts at `now`, the results are:
 * `-P40D` a timestamp, `date -P40D` its date, `date -P40D +P12M` twelve calendar months after that date, `date +P2D in
 * America/New_York` a local date, `+P2D at 09:30 in America/New_York` the timestamp of a local time, and
 * `ASC001-IH-{+P2D in America/New_York}-AM` a slot on such a day.
 */
export function datesOf(value: unknown): Resolve | undefined {
  return findResolve(value, (text) => (ANY.test(text) ? dateOf(text) : undefined))
}

/** Copies only values that contain relative dates. All worlds share the other values. */
export function findResolve(value: unknown, find: (text: string) => Resolve | undefined): Resolve | undefined {
  if (typeof value === 'string') return find(value)
  if (typeof value !== 'object' || value === null) return undefined
  const dated = Object.entries(value).flatMap(([key, each]) => {
    const resolve = findResolve(each, find)
    return resolve ? [[key, resolve] as const] : []
  })
  if (dated.length === 0) return undefined
  return (at) => {
    const resolved: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value }
    for (const [key, resolve] of dated) (resolved as Record<string, unknown>)[key] = resolve(at)
    return resolved
  }
}

function dateOf(text: string): Resolve {
  const instant = INSTANT.exec(text)
  if (instant) {
    const distance = distanceOf(instant.slice(2))
    return (now) => toText(now + distance, instant[1] !== undefined)
  }
  const later = MONTHS_LATER.exec(text)
  if (later) {
    const distance = distanceOf(later.slice(1))
    return (now) => addMonths(utcDate(now + distance), Number(later[5]))
  }
  const local = LOCAL.exec(text)
  if (local) {
    const distance = distanceOf(local.slice(1))
    return (now) => resolveLocal(now, distance, local[5], local[6]!)
  }
  return (now) =>
    text.replaceAll(SLOT_DAY, (_, ...parts: string[]) =>
      resolveLocal(now, distanceOf(parts), undefined, parts[4]!).replaceAll('-', ''),
    )
}

function distanceOf([sign, days = '0', hours = '0', minutes = '0']: readonly (string | undefined)[]): number {
  const distance = Number(days) * DAY + Number(hours) * HOUR + (Number(minutes) * HOUR) / 60
  return sign === '-' ? -distance : distance
}

/** Days are counted on the calendar of the time zone, so that daylight saving time does not shift the result. */
function resolveLocal(now: number, distance: number, time: string | undefined, timeZone: string): string {
  const date = addDays(localDate(now, timeZone), distance / DAY)
  if (!time) return date
  const instant = findInstant(date, time, timeZone)
  if (instant === undefined) throw new Error(`${date} has no ${time} in ${timeZone}`)
  return toText(instant, false)
}

function toText(instant: number, dateOnly: boolean): string {
  return dateOnly ? utcDate(instant) : new Date(instant).toISOString()
}
