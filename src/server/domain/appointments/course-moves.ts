import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'
import type { InStoreRequest } from '#contract/records/in-store/in-store-request.ts'
import { endOf, startOf } from './appointments.ts'
import { addWorkingTime } from './working-time.ts'

export type MovingRequest = Ticket | InStoreRequest
export type MoveName = 'CONFIRMED' | 'CANCELLED_BY_VENDOR' | 'TECHNICIAN_LATE' | 'PARTS_ORDERED' | 'COMPLETED'

export interface Move {
  /** Milliseconds since the epoch. */
  at: number
  name: MoveName
}

/** Our choice, `ticket-progress`: the clock moves an open request next so and then, but never a missed one. */
export function findNextMove(request: MovingRequest, center?: ServiceCenter): Move | undefined {
  const { status, appointment, course, history } = request
  if (status === 'E0003' || !course || !appointment || !Number.isFinite(startOf(appointment))) return undefined
  const from = Date.parse(course.from)
  const [start, end] = [startOf(appointment), endOf(appointment)]
  const last = Math.max(from, Date.parse(history.at(-1)?.at ?? request.createdAt))
  if (status === 'E0001') {
    if (last >= end) return undefined
    const minutes = course.minutes * 60_000
    const confirmed = (center && addWorkingTime(center, last, minutes)) ?? start
    const name = course.chance === 'CLOSED' ? 'CANCELLED_BY_VENDOR' : 'CONFIRMED'
    return { at: Math.max(last, Math.min(confirmed, start)), name }
  }
  const was = (name: MoveName) => history.some(({ reason }) => reason === name)
  if (course.chance === 'LATE' && start >= last && !was('TECHNICIAN_LATE'))
    return { at: start, name: 'TECHNICIAN_LATE' }
  const name = course.chance === 'PARTS' && !was('PARTS_ORDERED') ? 'PARTS_ORDERED' : 'COMPLETED'
  return { at: Math.max(end, last), name }
}
