import type { Ports } from '#server/ports.ts'
import { MAX_RESCHEDULES } from '#contract/records/appointments/appointment.ts'
import type { GeneralResponse, ServiceRequest } from '#contract/records/dealer/service-request.ts'
import type { RescheduleDraft, Ticket } from '#contract/records/dealer/ticket.ts'
import { released, isUnderWay, withStatusAt } from '../appointments/appointments.ts'
import { releaseBooking, takePlace } from '../appointments/bookings.ts'
import { requireServiceCenter } from '../appointments/service-centers.ts'
import { DomainError, finding, invalidInput, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { isOpen, moveTo } from '../progress.ts'
import { findTicket, newAppointmentId, rejectsWork, requireTicket, requireVisit } from './tickets.ts'
import { findWarranty } from './warranty.ts'

const ruled = { source: 'our choice: reschedule' } as const

/** Operation 9. Allowed until the appointment starts and after it was missed. Then needs confirmation. */
export async function rescheduleTicket(ports: Ports, dealer: Dealer, draft: RescheduleDraft): Promise<ServiceRequest> {
  const now = ports.clock.now()
  const at = new Date(now).toISOString()
  const appointmentId = await newAppointmentId(ports)
  return ports.store.transaction(async (tx) => {
    const ticket = await requireTicket(tx, dealer, draft.srid)
    const { ascCode, bpNo, srid } = ticket
    const { rescheduleReasonCode } = draft
    const { status, appointment } = withStatusAt(ticket, now)
    if (!isOpen({ status })) throw new DomainError('conflict', 'the ticket is closed', ruled)
    if (!appointment || !ascCode)
      throw new DomainError('conflict', 'the ticket has no appointment to reschedule', ruled)
    if (isUnderWay(ticket, now)) throw new DomainError('conflict', 'the appointment has started', ruled)
    if (ticket.previousAppointments.length >= MAX_RESCHEDULES) {
      throw new DomainError('limit-exceeded', `the ticket has already been rescheduled ${MAX_RESCHEDULES} times`, ruled)
    }
    const center = await requireServiceCenter(tx, ascCode)
    if (rejectsWork(center, await findWarranty(tx, ticket, now))) {
      const rule = `is for an out-of-warranty product, and ${ascCode} does not accept such products`
      throw invalidInput([finding('body.srid', rule, { source: 'our choice: reschedule-out-of-warranty' })])
    }
    await releaseBooking(tx, appointment.appointmentId)
    const place = await requireVisit(tx, center, { ...draft, bpNo }, now)
    const moved = moveTo(ticket, 'E0001', at, 'RESCHEDULED')
    const rescheduled: Ticket = {
      ...ticket,
      ...moved,
      history: moved.history.map((change, i) =>
        i === ticket.history.length && rescheduleReasonCode ? { ...change, rescheduleReasonCode } : change,
      ),
      appointment: await takePlace(tx, place, { srid, appointmentId }),
      previousAppointments: [...ticket.previousAppointments, released(appointment, 'RESCHEDULED')],
      updatedAt: at,
    }
    await tx.tickets.put(rescheduled)
    return withStatusAt(rescheduled, now)
  })
}

/** Only for the journal and the log. */
export async function whyNoOpenTicket({ store }: Ports, { companyId }: Dealer, srid: string): Promise<DomainError> {
  const ticket = await store.tickets.get(srid)
  const state = ticket?.companyId === companyId ? 'is closed' : 'belongs to another company'
  const reason = ticket ? `the ticket with this srid ${state}` : 'no ticket has this srid'
  return notFound(reason, 'our choice: no-open-ticket')
}

/** Operation 10. Allowed at the same times as operation 9. Returns undefined if there is nothing to cancel. */
export async function cancelTicket(ports: Ports, dealer: Dealer, srid: string): Promise<GeneralResponse | undefined> {
  const now = ports.clock.now()
  const at = new Date(now).toISOString()
  return ports.store.transaction(async (tx) => {
    const ticket = await findTicket(tx, dealer, srid)
    if (!ticket || !isOpen(withStatusAt(ticket, now))) return undefined
    const { appointment, status } = withStatusAt(ticket, now)
    if (isUnderWay(ticket, now)) {
      const message = 'the appointment has started and can no longer be cancelled'
      return { success: false, code: 'AppointmentStarted', message, srid, status }
    }
    if (appointment) await releaseBooking(tx, appointment.appointmentId)
    const cancelled: Ticket = {
      ...ticket,
      ...moveTo(ticket, 'E0003', at, 'CANCELLED', 'CANCELLED'),
      ...(appointment && { appointment: released(appointment, 'CANCELLED') }),
      updatedAt: at,
    }
    await tx.tickets.put(cancelled)
    return { success: true, code: 'OK', message: 'the ticket is cancelled', srid, status: cancelled.status }
  })
}
