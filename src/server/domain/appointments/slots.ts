import type { View } from '../../ports/store.ts'
import type { ServiceCenter } from '../../../contract/records/appointments/service-center.ts'
import { localDate } from '../../../contract/records/local-times.ts'
import { addDays, daysBetween } from '../time.ts'
import { type Slot, type SlotKind, slotsOfDay } from './timetable.ts'

export interface OfferedSlot extends Slot {
  /** Below zero where records of the control API hold more places than there are. */
  /** Below 0 where a record that was put overbooks it. */
  remaining: number
}

/** Our choice: what starts within an hour is not offered any more. */
const NOTICE = 60 * 60 * 1000
/** Our choice: how many days behind the centre's date a slot may be. What is listed can be booked, and nothing else. */
export const DAYS_AHEAD: Readonly<Record<SlotKind, number>> = { IH: 13, WI: 60 }

/** The slots of each day from `start` on that a client may book, with what the bookings leave of them. */
export async function listOfferedSlots(
  store: View,
  center: ServiceCenter,
  kind: SlotKind,
  { start, days }: { start: string; days: number },
  now: number,
): Promise<{ date: string; slots: OfferedSlot[] }[]> {
  const dates = Array.from({ length: days }, (_, i) => addDays(start, i))
  const bookings = await store.bookings.find({ where: { ascCode: center.ascCode, date: dates } })
  const taken = new Map<string, number>()
  for (const { slotId } of bookings) taken.set(slotId, (taken.get(slotId) ?? 0) + 1)
  return dates.map((date) => ({
    date,
    slots: offeredOn(center, kind, date, now).map((slot) => {
      return { ...slot, remaining: slot.capacity - (taken.get(slot.slotId) ?? 0) }
    }),
  }))
}

export async function listBookedSlots(store: View, center: ServiceCenter, dates: readonly string[]) {
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
  return offeredOn(center, kind, date, now).find((slot) => slot.slotId === slotId)
}

function offeredOn(center: ServiceCenter, kind: SlotKind, date: string, now: number): Slot[] {
  if (daysBetween(localDate(now, center.timeZone), date) > DAYS_AHEAD[kind]) return []
  return slotsOfDay(center, kind, date).filter(({ startsAt }) => startsAt > now + NOTICE)
}
