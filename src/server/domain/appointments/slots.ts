import type { Ports } from '../../ports.ts'
import type { ServiceCenter } from '../../../contract/records/appointments/service-center.ts'
import type { ChoiceValues } from '../../../contract/records/choices/settable.ts'
import { millisecondsOf } from '../../../contract/records/duration.ts'
import { localDate } from '../../../contract/records/local-times.ts'
import { groupBy } from '../group-by.ts'
import { addDays, daysBetween } from '../time.ts'
import { type Slot, type SlotKind, slotsOfDay } from './timetable.ts'

export interface OfferedSlot extends Slot {
  /** Negative where a record that was put overbooks the slot. */
  remaining: number
}

/** A slot that bookings have filled is listed too, with nothing left. */
export async function listOfferedSlots(
  { store, world: { choices } }: Pick<Ports, 'store' | 'world'>,
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
    slots: offeredOn(choices, center, kind, date, now).map((slot) => {
      return { ...slot, remaining: slot.capacity - (taken.get(slot.slotId) ?? 0) }
    }),
  }))
}

export async function listBookedSlots(
  { store, world: { choices } }: Pick<Ports, 'store' | 'world'>,
  center: ServiceCenter,
  dates: readonly string[],
) {
  const booked = await store.bookings.find({ where: { ascCode: center.ascCode, date: dates } })
  const bookings = groupBy(booked, ({ slotId }) => slotId)
  return dates.flatMap((date) =>
    (['IH', 'WI'] as const).flatMap((kind) =>
      slotsOfDay(choices, center, kind, date).map(({ slotId, from, to, capacity }) => ({
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
  choices: ChoiceValues,
  center: ServiceCenter,
  kind: SlotKind,
  { date, slotId }: { date: string; slotId: string },
  now: number,
): Slot | undefined {
  return offeredOn(choices, center, kind, date, now).find((slot) => slot.slotId === slotId)
}

/** Our choice: what is listed can be booked, and nothing else; the days of in-home visits count from today. */
function offeredOn(choices: ChoiceValues, center: ServiceCenter, kind: SlotKind, date: string, now: number): Slot[] {
  const last = kind === 'IH' ? choices['in-home-days'] - 1 : choices['in-store-days']
  if (daysBetween(localDate(now, center.timeZone), date) > last) return []
  const notBefore = now + millisecondsOf(choices['lead-time'])
  return slotsOfDay(choices, center, kind, date).filter(({ startsAt }) => startsAt > notBefore)
}
