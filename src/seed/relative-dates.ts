const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const DISTANCE = '([+-])P(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?)?'
const ZONE = '([A-Z][A-Za-z_]+(?:/[A-Za-z_]+)+)'
const ANY = new RegExp(`^(?:date )?${DISTANCE}(?: |$)|\\{${DISTANCE} in `)
const INSTANT = new RegExp(`^(date )?${DISTANCE}$`)
const MONTHS_LATER = new RegExp(`^date ${DISTANCE} \\+P(\\d+)M$`)
const LOCAL = new RegExp(`^(?:date )?${DISTANCE}(?: at (\\d\\d:\\d\\d))? in ${ZONE}$`)
const SLOT_DAY = new RegExp(`\\{${DISTANCE} in ${ZONE}\\}`, 'g')

/** Gives a value as it is in a world that starts then, in milliseconds since the epoch. */
type Resolve = (now: number) => unknown

/**
 * How a record's relative dates are resolved; nothing when it has none. Each world does it anew, and where the dates
 * are is found once. In a world that starts at `now` these become:
 * `-P40D` an instant, `date -P40D` the date of it, `date -P40D +P12M` twelve calendar months after that date,
 * `date +P2D in America/New_York` a local date, `+P2D at 09:30 in America/New_York` the instant of a local time,
 * and `ASC001-IH-{+P2D in America/New_York}-AM` a slot of such a day.
 */
export function datesOf(value: unknown): Resolve | undefined {
  if (typeof value === 'string') return ANY.test(value) ? dateOf(value) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const dated = Object.entries(value).flatMap(([key, each]) => {
    const resolve = datesOf(each)
    return resolve ? [[key, resolve] as const] : []
  })
  if (dated.length === 0) return undefined
  return (now) => {
    const resolved: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value }
    for (const [key, resolve] of dated) (resolved as Record<string, unknown>)[key] = resolve(now)
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
    return (now) => addMonths(now + distance, Number(later[5]))
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

/** Whole days are counted on the calendar of the zone, so that a change of its clocks moves nothing. */
function resolveLocal(now: number, distance: number, time: string | undefined, timeZone: string): string {
  const today = toText(toLocal(now, timeZone), true)
  const date = toText(Date.parse(today) + distance, true)
  if (!time) return date
  const wanted = Date.parse(`${date}T${time}Z`)
  const guess = wanted - (toLocal(wanted, timeZone) - wanted)
  return toText(wanted - (toLocal(guess, timeZone) - guess), false)
}

function addMonths(instant: number, months: number): string {
  const [year = 0, month = 1, day = 1] = toText(instant, true).split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return toText(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)), true)
}

function toText(instant: number, dateOnly: boolean): string {
  const text = new Date(instant).toISOString()
  return dateOnly ? text.slice(0, 10) : text
}

/** Hours remembered in all; one world's fixtures need some hundreds. */
const MOST_OFFSETS = 10_000
const formatters = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()

/** The zone's wall clock, as if it were UTC. US clocks change on the hour, so one look serves the whole hour. */
function toLocal(instant: number, timeZone: string): number {
  const hour = Math.floor(instant / HOUR)
  const key = `${hour} ${timeZone}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    if (offsets.size >= MOST_OFFSETS) offsets.clear()
    offset = readOffset(hour * HOUR, timeZone)
    offsets.set(key, offset)
  }
  return instant + offset
}

/** Local time minus universal time, in milliseconds. */
function readOffset(instant: number, timeZone: string): number {
  const formatter = formatters.get(timeZone) ?? createFormatter(timeZone)
  const parts = Object.fromEntries(formatter.formatToParts(instant).map(({ type, value }) => [type, value]))
  const local = `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:00Z`
  return Date.parse(local) - instant
}

function createFormatter(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, hourCycle: 'h23' } as const
  const formatter = new Intl.DateTimeFormat('en-US', { ...fields, timeZone })
  formatters.set(timeZone, formatter)
  return formatter
}
