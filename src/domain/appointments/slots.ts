import type { View } from '../../ports.ts'
import type { ServiceCenter } from '../../schemas/appointments/service-center.ts'
import { addDays, dayOfWeek, localDay, toMinutes, toTimeOfDay } from '../time.ts'

/** `WI` walk-in: a place at the counter; `IH` in-home: a technician's visit within half a day. */
export type SlotKind = 'WI' | 'IH'

export interface Slot {
  /** Such as `ASC001-WI-20260508-0930` or `ASC001-IH-20260508-AM`. */
  slotId: string
  /** The centre's local date, and its local times of day. */
  date: string
  from: string
  to: string
  /** Milliseconds since the epoch. */
  startsAt: number
  endsAt: number
  capacity: number
}

export interface OfferedSlot extends Slot {
  remaining: number
}

export interface SlotDay {
  date: string
  slots: OfferedSlot[]
}

/** Our choice: what starts within an hour is not offered any more. */
const NOTICE = 60 * 60 * 1000

/** In minutes of the day. */
const inHomeWindows = [
  { name: 'AM', from: 8 * 60, to: 12 * 60 },
  { name: 'PM', from: 13 * 60, to: 17 * 60 },
] as const

/** The slots of each day from `start` on that a client may book, with what the bookings leave of them. */
export async function listOfferedSlots(
  store: Pick<View, 'bookings'>,
  center: ServiceCenter,
  kind: SlotKind,
  { start, days }: { start: string; days: number },
  now: number,
): Promise<SlotDay[]> {
  const dates = Array.from({ length: days }, (_, i) => addDays(start, i))
  const bookings = await store.bookings.find({ where: { ascCode: center.ascCode, date: dates } })
  const taken = new Map<string, number>()
  for (const { slotId } of bookings) taken.set(slotId, (taken.get(slotId) ?? 0) + 1)
  return dates.map((date) => ({
    date,
    slots: slotsOfDay(center, kind, date)
      .filter((slot) => isOffered(slot, now))
      .map((slot) => ({ ...slot, remaining: Math.max(0, slot.capacity - (taken.get(slot.slotId) ?? 0)) })),
  }))
}

export async function listBookedSlots(store: Pick<View, 'bookings'>, center: ServiceCenter, dates: readonly string[]) {
  const bookings = await store.bookings.find({ where: { ascCode: center.ascCode, date: dates } })
  return dates.flatMap((date) =>
    (['IH', 'WI'] as const).flatMap((kind) =>
      slotsOfDay(center, kind, date).map(({ slotId, from, to, capacity }) => ({
        slotId,
        kind,
        date,
        from,
        to,
        capacity,
        bookings: bookings
          .filter((booking) => booking.slotId === slotId)
          .map(({ appointmentId, srid }) => ({ appointmentId, srid })),
      })),
    ),
  )
}

/** The slot of that id on that day, while it is offered; its places may all be taken. */
export function findOfferedSlot(
  center: ServiceCenter,
  kind: SlotKind,
  { date, slotId }: { date: string; slotId: string },
  now: number,
): Slot | undefined {
  return slotsOfDay(center, kind, date).find((slot) => slot.slotId === slotId && isOffered(slot, now))
}

/** The id of the walk-in slot that starts at a local time; whether there is one is for the centre's hours to say. */
export function walkInSlotId(ascCode: string, date: string, startTime: string): string {
  return slotIdOf(ascCode, 'WI', date, startTime.replace(':', ''))
}

function isOffered({ startsAt }: Slot, now: number): boolean {
  return startsAt > now + NOTICE
}

function slotsOfDay(center: ServiceCenter, kind: SlotKind, date: string): Slot[] {
  const day = dayOfWeek(date)
  const hours = center.hours.filter(({ dayOfWeek }) => dayOfWeek === day)
  if (hours.length === 0 || center.closedDates.includes(date)) return []
  return kind === 'IH' ? inHomeSlots(center, date) : walkInSlots(center, hours, date)
}

function inHomeSlots(center: ServiceCenter, date: string): Slot[] {
  const capacity = center.inHome?.capacity
  if (!capacity) return []
  const instantOf = localDay(date, center.timeZone)
  return inHomeWindows.flatMap(({ name, from, to }) => {
    const slotId = slotIdOf(center.ascCode, 'IH', date, name)
    return findSlot({ slotId, date, from, to, capacity: capacity[name] }, instantOf) ?? []
  })
}

function walkInSlots(center: ServiceCenter, hours: ServiceCenter['hours'], date: string): Slot[] {
  if (center.ascType !== 'WALKIN') return []
  const { ascCode, slotMinutes, slotCapacity: capacity } = center
  const instantOf = localDay(date, center.timeZone)
  // Opening hours may overlap: each start counts once, so that a day has at most as many slots as it has minutes.
  const starts = new Set<number>()
  for (const { open, close } of hours) {
    const last = toMinutes(close) - slotMinutes
    for (let from = toMinutes(open); from <= last; from += slotMinutes) starts.add(from)
  }
  return [...starts]
    .sort((a, b) => a - b)
    .flatMap((from) => {
      const slotId = walkInSlotId(ascCode, date, toTimeOfDay(from))
      return findSlot({ slotId, date, from, to: from + slotMinutes, capacity }, instantOf) ?? []
    })
}

interface MinutesOfSlot {
  slotId: string
  date: string
  from: number
  to: number
  capacity: number
}

/** Nothing for a start that a daylight-saving day leaves out. */
function findSlot(
  { slotId, date, from, to, capacity }: MinutesOfSlot,
  instantOf: (minute: number) => number | undefined,
): Slot | undefined {
  const startsAt = instantOf(from)
  if (startsAt === undefined) return undefined
  const endsAt = instantOf(to) ?? startsAt + (to - from) * 60_000
  return { slotId, date, from: toTimeOfDay(from), to: toTimeOfDay(to), startsAt, endsAt, capacity }
}

function slotIdOf(ascCode: string, kind: SlotKind, date: string, time: string): string {
  return `${ascCode}-${kind}-${date.slice(0, 4)}${date.slice(5, 7)}${date.slice(8)}-${time}`
}
