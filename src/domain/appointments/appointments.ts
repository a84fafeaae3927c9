import type { Appointment } from '../../schemas/appointments/appointment.ts'
import { findInstant, toMinutes } from '../time.ts'

/** Between its start and its end: nothing about an appointment can be changed in that time (our choice). */
export function isUnderWay(appointment: Appointment, now: number): boolean {
  return startOf(appointment) <= now && now < endOf(appointment)
}

/**
 * Our choice: an appointment that has ended while its request was neither completed nor cancelled counts as missed.
 * No record says so, the clock does: its request stays open and can be rescheduled and cancelled again.
 */
export function isMissed(appointment: Appointment, now: number): boolean {
  const isPending = appointment.status === 'REQUESTED' || appointment.status === 'CONFIRMED'
  return isPending && endOf(appointment) <= now
}

/** A request as every reply shows it at `now`. */
export function toShown<R extends { appointment?: Appointment | undefined }>(request: R, now: number): R {
  const { appointment } = request
  if (!appointment || !isMissed(appointment, now)) return request
  return { ...request, appointment: { ...appointment, status: 'MISSED' } }
}

function startOf({ date, startTime, timeZone }: Appointment): number {
  return findInstant(date, startTime, timeZone) ?? Number.POSITIVE_INFINITY
}

/** A daylight-saving day may leave out the local time of the end: it then ends as long after its start as it says. */
function endOf(appointment: Appointment): number {
  const { date, startTime, endTime, timeZone } = appointment
  const minutes = toMinutes(endTime) - toMinutes(startTime)
  return findInstant(date, endTime, timeZone) ?? startOf(appointment) + minutes * 60_000
}
