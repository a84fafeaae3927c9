import type { Appointment } from '#contract/records/appointments/appointment.ts'
import { findInstant, toMinutes } from '#contract/records/local-times.ts'
import type { Progress, TicketStatus } from '#contract/records/progress.ts'
import { describeStatus, moveTo } from '../progress.ts'

/** A dispute has no appointment. */
export interface Visit {
  readonly status: TicketStatus
  readonly appointment?: Readonly<Appointment> | undefined
}

/** Our choice: so long after the end of its appointment a request that nobody confirmed can still be changed. */
const OPEN_AFTER_END = 24 * 60 * 60 * 1000

/**
 * Our choice: nothing about an appointment can be changed between its start and its end; of a request in process it has
 * no end until the request is completed.
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
 * A request as it stands at `now`, which no record says but the clock. Our choice: the appointment of an open request
 * that has ended counts as missed, and a day later the request closes by itself (`missed-closes-after`).
 */
export function withMissedStatus<
  R extends Progress & { serviceType?: string | undefined; appointment?: Appointment | undefined },
>(request: R, now: number): R {
  const { appointment, serviceType } = request
  const missed = missedFrom(request)
  if (!appointment || missed === undefined || now < missed) return request
  const shown = { ...request, appointment: { ...appointment, status: 'MISSED' as const } }
  const closes = closesAt(request)
  if (closes === undefined || now < closes) return { ...shown, ...describeStatus(serviceType, 'MISSED') }
  return { ...shown, ...moveTo(request, 'E0003', new Date(closes).toISOString(), 'NO_SHOW', 'NO_SHOW') }
}

/** No record says when the clock closes a request. Milliseconds since the epoch; undefined means never. */
export function closesAt(request: Visit): number | undefined {
  const end = missedFrom(request)
  return end === undefined ? undefined : end + OPEN_AFTER_END
}

function missedFrom({ status, appointment }: Visit): number | undefined {
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
