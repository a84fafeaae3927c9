import type { View } from '../ports.ts'
import type { ServiceCenter } from '../schemas/service-center.ts'
import { addDays, dayOfWeek, findInstant, toMinutes, toTimeOfDay } from './time-zones.ts'

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

/** A slot that is still offered, and how many places are left; none when it is full. */
export interface OfferedSlot extends Slot {
  remaining: number
}

export interface SlotDay {
  date: string
  slots: OfferedSlot[]
}

/** Our choice: what starts within an hour is not offered any more. */
const NOTICE = 60 * 60 * 1000

const inHomeWindows = [
  { name: 'AM', from: '08:00', to: '12:00' },
  { name: 'PM', from: '13:00', to: '17:00' },
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
  return inHomeWindows.flatMap(({ name, from, to }) =>
    toSlot(center, { slotId: slotIdOf(center.ascCode, 'IH', date, name), date, from, to, capacity: capacity[name] }),
  )
}

function walkInSlots(center: ServiceCenter, hours: ServiceCenter['hours'], date: string): Slot[] {
  if (center.ascType !== 'WALKIN') return []
  const { ascCode, slotMinutes, slotCapacity: capacity } = center
  const slots = new Map<string, Slot>()
  for (const { open, close } of hours) {
    const last = toMinutes(close) - slotMinutes
    for (let minute = toMinutes(open); minute <= last; minute += slotMinutes) {
      const from = toTimeOfDay(minute)
      const slotId = walkInSlotId(ascCode, date, from)
      for (const slot of toSlot(center, { slotId, date, from, to: toTimeOfDay(minute + slotMinutes), capacity })) {
        slots.set(slotId, slot)
      }
    }
  }
  return [...slots.values()].sort((a, b) => a.startsAt - b.startsAt)
}

/** Nothing for a start that a daylight-saving day leaves out. */
function toSlot({ timeZone }: ServiceCenter, slot: Omit<Slot, 'startsAt' | 'endsAt'>): Slot[] {
  const startsAt = findInstant(slot.date, slot.from, timeZone)
  if (startsAt === undefined) return []
  const length = (toMinutes(slot.to) - toMinutes(slot.from)) * 60_000
  return [{ ...slot, startsAt, endsAt: findInstant(slot.date, slot.to, timeZone) ?? startsAt + length }]
}

function slotIdOf(ascCode: string, kind: SlotKind, date: string, time: string): string {
  return `${ascCode}-${kind}-${date.replaceAll('-', '')}-${time}`
}
