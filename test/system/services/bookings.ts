import { newServiceCenter, newTicketBody, putAppointmentWorld, slot } from '../../helpers/documents/appointments.ts'
import { asTess } from '../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../helpers/records.ts'
import { type Installation, openRecords, send } from './installation.ts'

/** A time at which the slot has not started yet. */
export const NOON = '2026-05-06T16:00:00.000Z'

export interface Booking {
  status: number
  code: string | undefined
  srid: string | undefined
  /** Milliseconds from the request to the response. */
  took: number
}

/** Customers who compete for a slot, and the results of their requests. */
export interface BookingRace {
  book(url: string): Promise<Booking>
  booked(): Promise<string[]>
}

/**
 * Resets the default world through an instance. After that, the clock of the world is paused, and a slot has this
 * capacity.
 */
export async function openBookingRace(
  installation: Installation,
  url: string,
  customers: number,
  places = 10,
): Promise<BookingRace> {
  await send('POST', `${url}/_control/reset`)
  await send('PUT', `${url}/_control/clock`, { now: NOON, frozen: true })
  const store = await openRecords(installation)
  await putAppointmentWorld(
    store,
    newServiceCenter({ inHome: { ...newServiceCenter().inHome!, capacity: { AM: 2, PM: places } } }),
  )
  const bpNos = Array.from({ length: customers }, (_, i) => String(9_300_000_000 + i))
  await store.transaction(async (tx) => {
    for (const bpNo of bpNos) await tx.customers.put(newCustomer({ bpNo }))
  })
  return {
    async book(at) {
      const started = performance.now()
      const body = newTicketBody({ bpNo: bpNos.pop() })
      const reply = await send('POST', `${at}/stg/us/dealer/customers/ticket`, body, asTess())
      const { code } = (reply.body['error'] ?? {}) as { code?: string }
      const srid = reply.body['srid'] as string | undefined
      return { status: reply.status, code, srid, took: performance.now() - started }
    },
    async booked() {
      const bookings = await store.bookings.find({ where: { slotId: slot.timeSlot }, limit: 1000 })
      return bookings.map(({ srid }) => srid).toSorted()
    },
  }
}

export const isBooked = ({ status }: Booking): boolean => status === 200
export const isFull = ({ status, code }: Booking): boolean => status === 400 && code === 'SlotUnavailable'
