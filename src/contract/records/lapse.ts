import { millisecondsOf } from './duration.ts'
import { findInstant, toMinutes } from './local-times.ts'
import type { TicketStatus } from './progress.ts'
import type { Appointment } from './appointments/appointment.ts'

/** A request with its appointment, a dealer's ticket or one in store; a dispute has none. */
export interface Visit {
  readonly status: TicketStatus
  readonly appointment?: Readonly<Appointment> | undefined
}

/** Our choice: so long after the end of its appointment a request that nobody confirmed can still be changed. */
const OPEN_AFTER_END = 24 * 60 * 60 * 1000

/** When the clock closes a request, in milliseconds since the epoch: no record says so. Nothing: it never does. */
export function closesAt(request: Visit, openAfterEnd = OPEN_AFTER_END): number | undefined {
  const end = missedFrom(request)
  return end === undefined ? undefined : end + openAfterEnd
}

/** How long `missed-closes-after` leaves a request open after its end, in milliseconds. */
export function openAfterEnd(choice: string): number {
  return choice === 'never' ? Infinity : millisecondsOf(choice)
}

/**
 * The instant at which the store, which counts with a day, finds closed what is closed at `now` by the world's choice;
 * nothing where requests never close by themselves.
 */
export function asOfClosing(choice: string, now: number): number | undefined {
  return choice === 'never' ? undefined : now + OPEN_AFTER_END - millisecondsOf(choice)
}

/** When the appointment of a request that nobody has confirmed is over. */
export function missedFrom({ status, appointment }: Visit): number | undefined {
  if (status !== 'E0001' || !appointment) return undefined
  const isPending = appointment.status === 'REQUESTED' || appointment.status === 'CONFIRMED'
  const end = isPending ? endOf(appointment) : undefined
  return Number.isFinite(end) ? end : undefined
}

export function startOf({ date, startTime, timeZone }: Appointment): number {
  return findInstant(date, startTime, timeZone) ?? Number.POSITIVE_INFINITY
}

/** A daylight-saving day may leave out the local time of the end: it then ends as long after its start as it says. */
export function endOf(appointment: Appointment): number {
  const { date, startTime, endTime, timeZone } = appointment
  const minutes = toMinutes(endTime) - toMinutes(startTime)
  return findInstant(date, endTime, timeZone) ?? startOf(appointment) + minutes * 60_000
}
