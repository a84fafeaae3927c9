import type { Booking } from '#contract/records/appointments/booking.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { Transaction } from '#server/ports/store.ts'
import { addDays } from '../time.ts'
import { type Slot, type SlotKind, slotsOfDay } from './timetable.ts'

/** Another appointment is looked for in so many days at most. */
const MOST_DAYS = 90

interface Search {
  center: ServiceCenter
  kind: SlotKind
  held: Booking
}

/** The holder must not overlap another booking of their own. */
export async function findFreeWindow(tx: Transaction, search: Search, date: string, after: number) {
  const { center, kind, held } = search
  const others = (await tx.bookings.find({ where: { holder: held.holder } })).filter(
    ({ appointmentId }) => appointmentId !== held.appointmentId,
  )
  const overlaps = ({ startsAt, endsAt }: Slot) =>
    others.some((each) => Date.parse(each.startsAt) < endsAt && startsAt < Date.parse(each.endsAt))
  for (const slot of slotsOfDay(center, kind, date)) {
    if (slot.startsAt <= after || overlaps(slot)) continue
    if ((await tx.bookings.count({ slotId: slot.slotId })) < slot.capacity) return { date, slot }
  }
  return undefined
}

export async function findFreeWindowFrom(tx: Transaction, search: Search, date: string) {
  for (let i = 0; i < MOST_DAYS; i++) {
    const found = await findFreeWindow(tx, search, addDays(date, i), 0)
    if (found) return found
  }
  return undefined
}

export function toBooking(held: Booking, appointmentId: string, { date, slot }: { date: string; slot: Slot }): Booking {
  const [startsAt, endsAt] = [new Date(slot.startsAt).toISOString(), new Date(slot.endsAt).toISOString()]
  return { ...held, appointmentId, date, slotId: slot.slotId, startsAt, endsAt }
}
