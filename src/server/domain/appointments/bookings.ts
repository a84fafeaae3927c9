import type { Transaction } from '#server/ports/store.ts'
import type { Booking, Appointment } from '#contract/records/appointments/appointment.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import { DomainError } from '../errors.ts'
import { addDays } from '../time.ts'
import { type Slot, type SlotKind, findOfferedSlot, slotsOfDay, whyNotOffered } from './slots.ts'

export interface PlaceRequest {
  center: ServiceCenter
  kind: SlotKind
  date: string
  slotId: string
  holder: string
  now: number
}

interface BookingIds {
  srid: string
  /** Generated before the transaction. The transaction may run more than once, but must use the same ID. */
  appointmentId: string
}

export interface Place {
  request: PlaceRequest
  slot: Slot
}

function listsFree({ kind, center: { ascCode, ascType }, date }: PlaceRequest): string {
  const call =
    kind === 'WI' ? `instore/noauth/slots?ascType=${ascType}&ascCode=${ascCode}&start=${date}` : 'dealer/schedule'
  return `GET /stg/us/${call} lists the free ones`
}

/** Must run in the transaction that books the slot. Otherwise, parallel requests could overbook the slot. */
export async function requirePlace(tx: Transaction, request: PlaceRequest): Promise<Place> {
  const { center, slotId, holder } = request
  const slot = findOfferedSlot(center, request.kind, request, request.now)
  if (!slot) {
    const { reason, source } = whyNotOffered(center, request.kind, request, request.now)
    throw new DomainError('slot-unavailable', `${reason}; ${listsFree(request)}`, { source })
  }
  if ((await tx.bookings.count({ slotId })) >= slot.capacity)
    throw new DomainError('slot-unavailable', `slot ${slotId} is fully booked; ${listsFree(request)}`, {
      source: 'our choice: slot-unavailable',
    })
  await assertFree(tx, holder, slot)
  return { request, slot }
}

export async function takePlace(
  tx: Transaction,
  { request: { center, date, holder }, slot }: Place,
  { srid, appointmentId }: BookingIds,
): Promise<Appointment> {
  await tx.bookings.put({ appointmentId, srid, ascCode: center.ascCode, date, ...timesOf(slot), holder })
  return {
    appointmentId,
    date,
    startTime: slot.startTime,
    endTime: slot.endTime,
    timeZone: center.timeZone,
    status: 'REQUESTED',
  }
}

export async function releaseBooking(tx: Transaction, appointmentId: string): Promise<boolean> {
  return tx.bookings.delete(appointmentId)
}

interface Window {
  date: string
  slot: Slot
}

/** Returns the first free window that starts after `after` and does not overlap other bookings of the holder. */
export async function findFreeWindow(
  tx: Transaction,
  { center, kind, held }: { center: ServiceCenter; kind: SlotKind; held: Booking },
  { from, count, after }: { from: string; count: number; after: number },
): Promise<Window | undefined> {
  const all = await tx.bookings.find({ where: { holder: held.holder } })
  const others = all.filter(({ appointmentId }) => appointmentId !== held.appointmentId)
  for (let i = 0; i < count; i++) {
    const date = addDays(from, i)
    for (const slot of slotsOfDay(center, kind, date)) {
      if (slot.startsAt <= after || others.some((each) => overlaps(each, slot))) continue
      if ((await tx.bookings.count({ slotId: slot.slotId })) < slot.capacity) return { date, slot }
    }
  }
  return undefined
}

export async function rebook(tx: Transaction, held: Booking, { date, slot }: Window, appointmentId: string) {
  await tx.bookings.delete(held.appointmentId)
  await tx.bookings.put({ ...held, appointmentId, date, ...timesOf(slot) })
}

async function assertFree(tx: Transaction, holder: string, slot: Slot): Promise<void> {
  const held = await tx.bookings.find({ where: { holder } })
  const other = held.find((each) => overlaps(each, slot))
  if (!other) return
  const who = holder.startsWith('bp:') ? `customer ${holder.slice(3)}` : 'the user'
  const message = `${who} already has an appointment at this time, in slot ${other.slotId}; choose another slot`
  throw new DomainError('conflict', message, { source: 'our choice: booking-overlap' })
}

function overlaps({ startsAt, endsAt }: Booking, slot: Slot): boolean {
  return Date.parse(startsAt) < slot.endsAt && slot.startsAt < Date.parse(endsAt)
}

function timesOf({ slotId, startsAt, endsAt }: Slot) {
  return { slotId, startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() }
}
