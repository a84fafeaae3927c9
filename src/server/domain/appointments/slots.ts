import type { Ports } from '#server/ports.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { Source } from '#contract/rules.ts'
import { localDate, localDay, toMinutes } from '#contract/records/local-times.ts'
import { groupBy } from '../group-by.ts'
import { addDays, dayOfWeek, daysBetween, toTimeOfDay } from '../time.ts'
import { isClosed } from './holidays.ts'

/** Number of days with in-home windows, starting today. */
export const IN_HOME_DAYS = 14
/** Maximum number of days from today to an in-store appointment. */
export const IN_STORE_DAYS = 60
/** Minimum milliseconds until the start of a slot. Earlier slots are not offered. */
const LEAD_TIME = 60 * 60 * 1000

/** `WI`: walk-in at the center. `IH`: in-home visit of a technician in a half-day window. */
export type SlotKind = 'WI' | 'IH'

export interface Slot {
  /** For example, `ASC001-WI-20260508-0930` or `ASC001-IH-20260508-AM`. */
  slotId: string
  /** Time of day in the time zone of the center. */
  startTime: string
  endTime: string
  /** Both timestamps are in milliseconds since the epoch. */
  startsAt: number
  endsAt: number
  capacity: number
}

export interface OfferedSlot extends Slot {
  /** Negative if the slot is overbooked by a record that was created with the control API. */
  remaining: number
}

/** The result includes slots that are fully booked. */
export async function listOfferedSlots(
  { store }: Pick<Ports, 'store'>,
  center: ServiceCenter,
  kind: SlotKind,
  { start, days }: { start: string; days: number },
  now: number,
): Promise<{ date: string; slots: OfferedSlot[] }[]> {
  const dates = Array.from({ length: days }, (_, i) => addDays(start, i))
  const bookings = await store.bookings.find({ where: { ascCode: center.ascCode, date: dates } })
  const taken = groupBy(bookings, ({ slotId }) => slotId)
  return dates.map((date) => ({
    date,
    slots: offeredOn(center, kind, date, now).map((slot) => {
      return { ...slot, remaining: slot.capacity - (taken.get(slot.slotId)?.length ?? 0) }
    }),
  }))
}

export async function listBookedSlots(
  { store }: Pick<Ports, 'store'>,
  center: ServiceCenter,
  dates: readonly string[],
) {
  const booked = await store.bookings.find({ where: { ascCode: center.ascCode, date: dates } })
  const bookings = groupBy(booked, ({ slotId }) => slotId)
  return dates.flatMap((date) =>
    (['IH', 'WI'] as const).flatMap((kind) =>
      slotsOfDay(center, kind, date).map(({ slotId, startTime, endTime, capacity }) => ({
        slotId,
        kind,
        date,
        startTime,
        endTime,
        capacity,
        bookings: (bookings.get(slotId) ?? []).map(({ appointmentId, srid }) => ({ appointmentId, srid })),
      })),
    ),
  )
}

export function findOfferedSlot(
  center: ServiceCenter,
  kind: SlotKind,
  { date, slotId }: { date: string; slotId: string },
  now: number,
): Slot | undefined {
  return offeredOn(center, kind, date, now).find((slot) => slot.slotId === slotId)
}

/** Says why `findOfferedSlot` returned no slot, and cites the rule. */
export function whyNotOffered(
  center: ServiceCenter,
  kind: SlotKind,
  { date, slotId }: { date: string; slotId: string },
  now: number,
): { reason: string; source: Source } {
  const { ascCode, closedDates, timeZone } = center
  const [today, last, slots] = [localDate(now, timeZone), lastDay(kind), slotsOfDay(center, kind, date)]
  const slot = slots.find((each) => each.slotId === slotId)
  const because = (reason: string, source: Source) => ({ reason: `slot ${slotId} on ${date} ${reason}`, source })
  if (date < today || (slot && slot.startsAt <= now)) return because('is in the past', 'our choice: lead-time')
  if (daysBetween(today, date) > last) {
    const source = kind === 'IH' ? 'our choice: ticket-windows' : 'our choice: in-store-days'
    return because(`is after ${addDays(today, last)}, the last day that can be booked`, source)
  }
  if (slot) return because('starts within an hour from now', 'our choice: lead-time')
  if (isClosed(closedDates, date)) return because(`is on a day when ${ascCode} is closed`, 'our choice: holidays')
  if (slots.length === 0) return because(`is on a day without slots at ${ascCode}`, 'our choice: slot-unavailable')
  const isOfOtherDate = slotId.startsWith(`${ascCode}-${kind}-`) && !slotId.includes(date.replaceAll('-', ''))
  return because(
    isOfOtherDate ? 'is a slot of another date' : `does not exist at ${ascCode}`,
    'our choice: slot-unavailable',
  )
}

const lastDay = (kind: SlotKind) => (kind === 'IH' ? IN_HOME_DAYS - 1 : IN_STORE_DAYS)

function offeredOn(center: ServiceCenter, kind: SlotKind, date: string, now: number): Slot[] {
  if (daysBetween(localDate(now, center.timeZone), date) > lastDay(kind)) return []
  const notBefore = now + LEAD_TIME
  return slotsOfDay(center, kind, date).filter(({ startsAt }) => startsAt > notBefore)
}

/** Start and end of each window in minutes after midnight. */
const inHomeWindows = [
  { name: 'AM', from: 8 * 60, to: 12 * 60 },
  { name: 'PM', from: 13 * 60, to: 17 * 60 },
] as const

export function slotsOfDay(center: ServiceCenter, kind: SlotKind, date: string): Slot[] {
  const day = dayOfWeek(date)
  const hours = center.hours.filter(({ dayOfWeek }) => dayOfWeek === day)
  if (hours.length === 0 || isClosed(center.closedDates, date)) return []
  return kind === 'IH' ? inHomeSlots(center, date) : walkInSlots(center, hours, date)
}

export function walkInSlotId(ascCode: string, date: string, startTime: string): string {
  return slotIdOf(ascCode, 'WI', date, startTime.replace(':', ''))
}

function inHomeSlots(center: ServiceCenter, date: string): Slot[] {
  const capacity = center.inHome?.capacity
  if (!capacity) return []
  const instantOf = localDay(date, center.timeZone)
  return inHomeWindows.flatMap(({ name, from, to }) => {
    const slotId = slotIdOf(center.ascCode, 'IH', date, name)
    return findSlot({ slotId, from, to, capacity: capacity[name] }, instantOf) ?? []
  })
}

function walkInSlots(center: ServiceCenter, hours: ServiceCenter['hours'], date: string): Slot[] {
  if (center.ascType !== 'WALKIN') return []
  const { ascCode, slotMinutes, slotCapacity: capacity } = center
  const instantOf = localDay(date, center.timeZone)
  // Opening hours may overlap, but each start time is returned only once.
  const starts = new Set<number>()
  for (const { open, close } of hours) {
    const last = toMinutes(close) - slotMinutes
    for (let from = toMinutes(open); from <= last; from += slotMinutes) starts.add(from)
  }
  return [...starts]
    .sort((a, b) => a - b)
    .flatMap((from) => {
      const slotId = walkInSlotId(ascCode, date, toTimeOfDay(from))
      return findSlot({ slotId, from, to: from + slotMinutes, capacity }, instantOf) ?? []
    })
}

/** Returns undefined if daylight saving time skips the start time. */
function findSlot(
  { slotId, from, to, capacity }: { slotId: string; from: number; to: number; capacity: number },
  instantOf: (minute: number) => number | undefined,
): Slot | undefined {
  const startsAt = instantOf(from)
  if (startsAt === undefined) return undefined
  const endsAt = instantOf(to) ?? startsAt + (to - from) * 60_000
  return { slotId, startTime: toTimeOfDay(from), endTime: toTimeOfDay(to), startsAt, endsAt, capacity }
}

function slotIdOf(ascCode: string, kind: SlotKind, date: string, time: string): string {
  return `${ascCode}-${kind}-${date.slice(0, 4)}${date.slice(5, 7)}${date.slice(8)}-${time}`
}
