export interface Center {
  ascCode: string
  ascType: string
  storeName: string
  timeZone: string
  hours: { dayOfWeek: number; open: string; close: string }[]
  closedDates: string[]
  slotMinutes: number
  slotCapacity: number
  inHome?: { capacity: Record<'AM' | 'PM', number> }
}

export interface Slot {
  slotId: string
  /** Local time of day, or the half of the day of a visit at home. */
  from: string
  capacity: number
}

/** The slots of a day as the opening hours have them; the server is what decides, when somebody books. */
export function slotsOf(center: Center, date: string): Slot[] {
  const dayOfWeek = new Date(`${date}T12:00:00Z`).getUTCDay() || 7
  const hours = center.hours.filter((each) => each.dayOfWeek === dayOfWeek)
  if (hours.length === 0 || center.closedDates.includes(date)) return []
  const idOf = (kind: string, time: string) => `${center.ascCode}-${kind}-${date.replaceAll('-', '')}-${time}`
  const atHome = Object.entries(center.inHome?.capacity ?? {}).map(([half, capacity]) => ({
    slotId: idOf('IH', half),
    from: `At home, ${half}`,
    capacity,
  }))
  if (center.ascType !== 'WALKIN') return atHome
  const atCounter = hours.flatMap(({ open, close }) =>
    startsBetween(toMinutes(open), toMinutes(close), center.slotMinutes).map((from) => ({
      slotId: idOf('WI', from.replace(':', '')),
      from,
      capacity: center.slotCapacity,
    })),
  )
  return [...atHome, ...atCounter]
}

/** The date it is in a time zone. */
export function localDate(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(at))
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

function startsBetween(open: number, close: number, length: number): string[] {
  const count = Math.max(0, Math.floor((close - open) / length))
  return Array.from({ length: count }, (_, index) => toTimeOfDay(open + index * length))
}

function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function toTimeOfDay(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
