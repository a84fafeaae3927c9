import type { Appointment } from '#contract/records/appointments/appointment.ts'
import { findInstant, toMinutes } from '#contract/records/local-times.ts'
import type { Progress, TicketStatus } from '#contract/records/progress.ts'
import { describeStatus, moveTo } from '../progress.ts'

export interface Visit {
  readonly status: TicketStatus
  readonly appointment?: Readonly<Appointment> | undefined
}

/** Milliseconds between the end of an appointment and the automatic closing of its request. */
const OPEN_AFTER_END = 24 * 60 * 60 * 1000

/** A confirmed appointment counts as under way until its request is closed. */
export function isUnderWay({ status, appointment }: Visit, now: number): boolean {
  if (!appointment || now < startOf(appointment)) return false
  return status === 'E0002' || now < endOf(appointment)
}

export function released(shown: Appointment, status: 'CANCELLED' | 'RESCHEDULED'): Appointment {
  return shown.status === 'MISSED' ? shown : { ...shown, status }
}

/**
 * Not stored. One day after its end, an unconfirmed request is closed as NO_SHOW (choice `missed-closes-after`), and a
 * confirmed one as COMPLETED.
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

/** In milliseconds since the epoch. Returns undefined if it never closes. */
export function closesAt(request: Visit): number | undefined {
  const end = pendingUntil(request)
  return end === undefined ? undefined : end + OPEN_AFTER_END
}

function pendingUntil({ status, appointment }: Visit): number | undefined {
  if (status === 'E0003' || !appointment) return undefined
  const isPending = appointment.status === 'REQUESTED' || appointment.status === 'CONFIRMED'
  const end = isPending ? endOf(appointment) : undefined
  return Number.isFinite(end) ? end : undefined
}

export function startOf({ date, startTime, timeZone }: Appointment): number {
  return findInstant(date, startTime, timeZone) ?? Number.POSITIVE_INFINITY
}

/** If daylight saving time skips the end, it is calculated from the start and the length. */
export function endOf(appointment: Appointment): number {
  const { date, startTime, endTime, timeZone } = appointment
  const minutes = toMinutes(endTime) - toMinutes(startTime)
  return findInstant(date, endTime, timeZone) ?? startOf(appointment) + minutes * 60_000
}
