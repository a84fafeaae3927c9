import type { Appointment } from '#contract/records/appointments/appointment.ts'
import { findInstant, toMinutes } from '#contract/records/local-times.ts'
import type { Progress, TicketStatus } from '#contract/records/progress.ts'
import { describeStatus, moveTo } from '../progress.ts'

/** A dispute has no appointment. */
export interface Visit {
  readonly status: TicketStatus
  readonly appointment?: Readonly<Appointment> | undefined
}

/** Our choice: how long a request stays open after the end of its appointment. */
const OPEN_AFTER_END = 24 * 60 * 60 * 1000

/**
 * Our choice: nothing about an appointment can be changed between its start and its end, and of a request in process
 * until the request is closed.
 */
export function isUnderWay({ status, appointment }: Visit, now: number): boolean {
  if (!appointment || now < startOf(appointment)) return false
  return status === 'E0002' || now < endOf(appointment)
}

/**
 * An appointment that nobody keeps any more. Our choice: one that was missed stays so, whatever becomes of its request.
 */
export function givenUp(shown: Appointment, status: 'CANCELLED' | 'RESCHEDULED'): Appointment {
  return shown.status === 'MISSED' ? shown : { ...shown, status }
}

/**
 * The status at `now` follows from the clock and is not stored. Our choice: an unconfirmed appointment that has ended
 * is missed, and a day later the request closes as NO_SHOW (`missed-closes-after`), or a confirmed one as COMPLETED.
 */
export function withStatusAt<
  R extends Progress & { serviceType?: string | undefined; appointment?: Appointment | undefined },
>(request: R, now: number): R {
  const { appointment, serviceType, status } = request
  const end = pendingUntil(request)
  if (!appointment || end === undefined || now < end) return request
  const closes = end + OPEN_AFTER_END
  const close = (reason: 'COMPLETED' | 'NO_SHOW') =>
    moveTo(request, 'E0003', new Date(closes).toISOString(), reason, reason)
  if (status === 'E0002') {
    if (now < closes) return request
    return { ...request, appointment: { ...appointment, status: 'COMPLETED' as const }, ...close('COMPLETED') }
  }
  const shown = { ...request, appointment: { ...appointment, status: 'MISSED' as const } }
  return { ...shown, ...(now < closes ? describeStatus(serviceType, 'MISSED') : close('NO_SHOW')) }
}

/** No record says when the clock closes a request. Milliseconds since the epoch; undefined means never. */
export function closesAt(request: Visit): number | undefined {
  const end = pendingUntil(request)
  return end === undefined ? undefined : end + OPEN_AFTER_END
}

/** The end of an appointment that is still to take place. */
function pendingUntil({ status, appointment }: Visit): number | undefined {
  if (status === 'E0003' || !appointment) return undefined
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
