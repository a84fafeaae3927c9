import { calendarOperations, imageOperations, progressOperations, ticketOperations } from '#contract/control/tickets.ts'
import type { Appointment } from '#contract/records/appointments/appointment.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'
import type { InStoreRequest } from '#contract/records/in-store/in-store-request.ts'
import { localDate } from '#contract/records/local-times.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { CloseReason, TicketStatus } from '#contract/records/progress.ts'
import { withStatusAt } from '../domain/appointments/appointments.ts'
import { releaseBooking } from '../domain/appointments/bookings.ts'
import { listComingMoves } from '../domain/appointments/lifecycle-moves.ts'
import { requireServiceCenter } from '../domain/appointments/service-centers.ts'
import { listBookedSlots } from '../domain/appointments/slots.ts'
import { settleDispute } from '../domain/dealer/disputes.ts'
import { DomainError, notFound } from '../domain/errors.ts'
import { requireImageBytes } from '../domain/guest/symptom-images.ts'
import { moveTo } from '../domain/progress.ts'
import { addDays } from '../domain/time.ts'
import type { Ports } from '../ports.ts'
import type { View } from '../ports/store.ts'
import { implementControl } from './context.ts'

export const tickets = implementControl(
  { ...ticketOperations, ...progressOperations, ...calendarOperations },
  {
    confirmTicket: async ({ ports, params }) => confirmTicket(ports, params.srid),
    completeTicket: async ({ ports, params }) => completeTicket(ports, params.srid),
    listMoves: async ({ ports, query }) => listComingMoves(ports, query),

    listSlots: async ({ ports, params, query }) => {
      const { store, clock } = ports
      const center = await requireServiceCenter(store, params.ascCode)
      const from = query.from ?? localDate(clock.now(), center.timeZone)
      const dates = Array.from({ length: query.days }, (_, day) => addDays(from, day))
      const items = await listBookedSlots(ports, center, dates)
      return { dates, items, totalCount: items.length }
    },
  },
)

export const images = implementControl(imageOperations, {
  getImage: async ({ ports, params }, reply) => {
    const { contentType, bytes } = await requireImageBytes(ports, params.imageId)
    // Only the first bytes of the file were validated, so browsers must not interpret it as a page.
    return reply
      .headers({ 'content-type': contentType, 'x-content-type-options': 'nosniff' })
      .headers({ 'content-security-policy': "default-src 'none'; sandbox" })
      .send(Buffer.from(bytes) as never)
  },
})

interface Step {
  from: TicketStatus
  to: TicketStatus
  name: 'CONFIRMED' | 'COMPLETED'
  closeReason?: CloseReason
}

/** Confirms the appointment of a dealer ticket or in-store request. The status changes from E0001 to E0002. */
export async function confirmTicket(ports: Ports, srid: string): Promise<Ticket | InStoreRequest> {
  return take(ports, srid, { from: 'E0001', to: 'E0002', name: 'CONFIRMED' })
}

/** E0002 becomes E0003, and the slot is released. The purchase date that a dispute claims applies from now on. */
export async function completeTicket(ports: Ports, srid: string): Promise<Ticket | InStoreRequest> {
  return take(ports, srid, { from: 'E0002', to: 'E0003', name: 'COMPLETED', closeReason: 'COMPLETED' })
}

async function take({ store, clock }: Ports, srid: string, step: Step): Promise<Ticket | InStoreRequest> {
  const now = clock.now()
  const moved = await store.transaction(async (tx) => {
    const request = (await tx.tickets.get(srid)) ?? (await tx.inStoreRequests.get(srid))
    if (!request) throw await noSuchRequest(tx, srid)
    const isOver = step.to === 'E0003'
    if (isOver && request.appointment) await releaseBooking(tx, request.appointment.appointmentId)
    const advanced = advance(request, step, now)
    if (advanced.serviceType === 'CI') {
      await tx.inStoreRequests.put(advanced)
      return advanced
    }
    const ticket = isOver && advanced.serviceType === 'DS' ? await settleDispute(tx, advanced, now) : advanced
    await tx.tickets.put(ticket)
    return ticket
  })
  return withStatusAt(moved, now)
}

async function noSuchRequest({ tickets, inStoreRequests }: View, srid: string): Promise<DomainError> {
  const page = { limit: 1000 }
  const known = [...(await tickets.find(page)), ...(await inStoreRequests.find(page))].map((each) => each.srid)
  const nearest = suggestNearest(srid, known)
  return notFound(`service request ${srid} does not exist${nearest}`, 'our choice: control-refusals')
}

function advance<T extends Ticket | InStoreRequest>(request: T, step: Step, now: number): T {
  const { status } = withStatusAt<Ticket | InStoreRequest>(request, now)
  if (status !== step.from) {
    const message = `the request is ${status}. Only a request that is ${step.from} can become ${step.name}`
    throw new DomainError('conflict', message, { source: 'our choice: ticket-statuses' })
  }
  const { appointment } = request
  const at = new Date(now).toISOString()
  return {
    ...request,
    ...moveTo(request, step.to, at, step.name, step.closeReason),
    ...(appointment && { appointment: { ...appointment, status: step.name } satisfies Appointment }),
    updatedAt: at,
  }
}
