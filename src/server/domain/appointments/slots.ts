import type { Ports } from '#server/ports.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import { localDate } from '#contract/records/local-times.ts'
import { groupBy } from '../group-by.ts'
import { addDays, daysBetween } from '../time.ts'
import { type Slot, type SlotKind, slotsOfDay } from './timetable.ts'

/** In-home windows are offered on so many days from today. */
export const IN_HOME_DAYS = 14
/** An in-store appointment is at most so many days after today. */
export const IN_STORE_DAYS = 60
/** Milliseconds from now to the first slot that is offered. */
const LEAD_TIME = 60 * 60 * 1000

export interface OfferedSlot extends Slot {
  /** Negative where a record that was put overbooks the slot. */
  remaining: number
}

/** A slot that bookings have filled is listed too, with nothing left. */
export async function listOfferedSlots(
  { store }: Pick<Ports, 'store'>,
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

export async function listBookedSlots(
  { store }: Pick<Ports, 'store'>,
  center: ServiceCenter,
  dates: readonly string[],
) {
  const booked = await store.bookings.find({ where: { ascCode: center.ascCode, date: dates } })
  const bookings = groupBy(booked, ({ slotId }) => slotId)
  return dates.flatMap((date) =>
    (['IH', 'WI'] as const).flatMap((kind) =>
      slotsOfDay(center, kind, date).map(({ slotId, from, to, capacity }) => ({
        slotId,
        kind,
        date,
        from,
        to,
        capacity,
        bookings: (bookings.get(slotId) ?? []).map(({ appointmentId, srid }) => ({ appointmentId, srid })),
      })),
    ),
  )
}

/** The slot must be offered, while its places may all be taken. */
export function findOfferedSlot(
  center: ServiceCenter,
  kind: SlotKind,
  { date, slotId }: { date: string; slotId: string },
  now: number,
): Slot | undefined {
  return offeredOn(center, kind, date, now).find((slot) => slot.slotId === slotId)
}

/** Our choice: what is listed can be booked, and nothing else; the days of in-home visits count from today. */
function offeredOn(center: ServiceCenter, kind: SlotKind, date: string, now: number): Slot[] {
  const last = kind === 'IH' ? IN_HOME_DAYS - 1 : IN_STORE_DAYS
  if (daysBetween(localDate(now, center.timeZone), date) > last) return []
  const notBefore = now + LEAD_TIME
  return slotsOfDay(center, kind, date).filter(({ startsAt }) => startsAt > notBefore)
}
