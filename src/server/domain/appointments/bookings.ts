import type { Transaction } from '#server/ports/store.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { Appointment } from '#contract/records/appointments/appointment.ts'
import { DomainError } from '../errors.ts'
import { findOfferedSlot } from './slots.ts'
import type { Slot, SlotKind } from './timetable.ts'

export interface PlaceRequest {
  center: ServiceCenter
  kind: SlotKind
  /** A local date at the center, as the client named it. */
  date: string
  slotId: string
  /** Nobody holds two overlapping bookings. A holder is `bp:{bpNo}` for dealer tickets, and the user id in store. */
  holder: string
  now: number
}

interface BookingIds {
  srid: string
  /** Drawn before the transaction, which may run more than once. */
  appointmentId: string
}

export interface Place {
  request: PlaceRequest
  slot: Slot
}

const gone = { source: 'our choice: slot-unavailable' } as const

function listsFree({ kind, center: { ascCode, ascType }, date }: PlaceRequest): string {
  const call =
    kind === 'WI' ? `instore/noauth/slots?ascType=${ascType}&ascCode=${ascCode}&start=${date}` : 'dealer/schedule'
  return `GET /stg/us/${call} lists the free ones`
}

/**
 * Our choice: check and write in one transaction, so that no slot is ever overbooked. The check comes before the rest
 * of what a record needs: who is refused is refused here.
 */
export async function requirePlace(tx: Transaction, request: PlaceRequest): Promise<Place> {
  const { center, date, slotId, holder } = request
  const slot = findOfferedSlot(center, request.kind, request, request.now)
  if (!slot)
    throw new DomainError(
      'slot-unavailable',
      `there is no slot ${slotId} on ${date} to book at ${center.ascCode}; ${listsFree(request)}`,
      gone,
    )
  if ((await tx.bookings.count({ slotId })) >= slot.capacity)
    throw new DomainError('slot-unavailable', `slot ${slotId} is fully booked; ${listsFree(request)}`, gone)
  await assertFree(tx, holder, slot)
  return { request, slot }
}

export async function takePlace(
  tx: Transaction,
  { request: { center, date, slotId, holder }, slot }: Place,
  { srid, appointmentId }: BookingIds,
): Promise<Appointment> {
  await tx.bookings.put({
    appointmentId,
    srid,
    ascCode: center.ascCode,
    slotId,
    date,
    startsAt: toInstant(slot.startsAt),
    endsAt: toInstant(slot.endsAt),
    holder,
  })
  return { appointmentId, date, startTime: slot.from, endTime: slot.to, timeZone: center.timeZone, status: 'REQUESTED' }
}

/** Gives false when the appointment holds no place. */
export async function releaseBooking(tx: Transaction, appointmentId: string): Promise<boolean> {
  return tx.bookings.delete(appointmentId)
}

async function assertFree(tx: Transaction, holder: string, slot: Slot): Promise<void> {
  const held = await tx.bookings.find({ where: { holder } })
  const other = held.find((each) => Date.parse(each.startsAt) < slot.endsAt && slot.startsAt < Date.parse(each.endsAt))
  if (!other) return
  const message = `an overlapping appointment is held already, in slot ${other.slotId}`
  throw new DomainError('conflict', message, { source: 'our choice: booking-overlap' })
}

function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
