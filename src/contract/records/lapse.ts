import { findInstant, toMinutes } from './local-times.ts'
import type { TicketStatus } from './progress.ts'
import type { Appointment } from './appointments/appointment.ts'

/** A dispute has no appointment. */
export interface Visit {
  readonly status: TicketStatus
  readonly appointment?: Readonly<Appointment> | undefined
}

/** Our choice: so long after the end of its appointment a request that nobody confirmed can still be changed. */
const OPEN_AFTER_END = 24 * 60 * 60 * 1000

/** No record says when the clock closes a request. Milliseconds since the epoch; undefined means never. */
export function closesAt(request: Visit): number | undefined {
  const end = missedFrom(request)
  return end === undefined ? undefined : end + OPEN_AFTER_END
}

export function missedFrom({ status, appointment }: Visit): number | undefined {
  if (status !== 'E0001' || !appointment) return undefined
  const isPending = appointment.status === 'REQUESTED' || appointment.status === 'CONFIRMED'
  const end = isPending ? endOf(appointment) : undefined
  return Number.isFinite(end) ? end : undefined
}

export function startOf({ date, startTime, timeZone }: Appointment): number {
  return findInstant(date, startTime, timeZone) ?? Number.POSITIVE_INFINITY
}

/** Daylight saving may skip the end's local time; the appointment then lasts as long as it says. */
export function endOf(appointment: Appointment): number {
  const { date, startTime, endTime, timeZone } = appointment
  const minutes = toMinutes(endTime) - toMinutes(startTime)
  return findInstant(date, endTime, timeZone) ?? startOf(appointment) + minutes * 60_000
}
