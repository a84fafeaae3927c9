import type { Appointment } from '../../../contract/records/appointments/appointment.ts'
import { closesAt, endOf, missedFrom, startOf, type Visit } from '../../../contract/records/lapse.ts'
import type { Progress } from '../../../contract/records/progress.ts'
import { describeStatus, moveTo } from '../progress.ts'

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
