import type { Ports } from '#server/ports.ts'
import type { Transaction, View } from '#server/ports/store.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { ServiceRequest } from '#contract/records/dealer/service-request.ts'
import type { Ticket, TicketDraft } from '#contract/records/dealer/ticket.ts'
import { withMissedStatus } from '../appointments/appointments.ts'
import { type Place, requirePlace, takePlace } from '../appointments/bookings.ts'
import { requireServiceCenter } from '../appointments/service-centers.ts'
import { notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { newId } from '../ids.ts'
import { openProgress } from '../progress.ts'
import { newRequestIds, takeRequestIds } from '../request-ids.ts'
import { requireCustomer, toCustomer } from './customers.ts'
import { assertPurchaseDate } from './product-registration.ts'
import { requireSymptoms } from './ticket-symptoms.ts'
import { requireModel, assertUsable } from './ticket-references.ts'
import { findWarranty } from './warranty.ts'

/** Operation 8: a ticket for a dealer's customer, with its appointment. The product need not be registered. */
export async function createTicket(ports: Ports, dealer: Dealer, draft: TicketDraft): Promise<ServiceRequest> {
  const now = ports.clock.now()
  const at = new Date(now).toISOString()
  assertPurchaseDate(draft.purchaseDate, now)
  const ids = await newRequestIds(ports.random)
  const appointmentId = await newAppointmentId(ports)
  return ports.store.transaction(async (tx) => {
    const customer = toCustomer(await requireCustomer(tx, dealer, draft.bpNo))
    const model = await requireModel(tx, draft.modelCode)
    const center = await requireServiceCenter(tx, draft.ascCode)
    const isCovered = await findWarranty(tx, draft, now)
    await assertUsable(ports, tx, { dealer, draft, customer, model, center, isCovered })
    const symptoms = await requireSymptoms(tx, model.subType, draft)
    const place = await requireVisit(tx, center, draft, now)
    const { srid, ticketNumber } = await takeRequestIds(tx, ids)
    const { bpNo, modelCode, serialNumber, serviceType, problemDescription } = draft
    const { purchaseDate, storeNumber, dealerReferenceNo } = draft
    const ticket: Ticket = {
      srid,
      ticketNumber,
      ...openProgress(at, 'CREATED'),
      serviceType,
      bpNo,
      companyId: dealer.companyId,
      customer,
      modelCode,
      serialNumber,
      symptoms,
      ascCode: center.ascCode,
      ascName: center.ascName,
      appointment: await takePlace(tx, place, { srid, appointmentId }),
      previousAppointments: [],
      inWarranty: isCovered ?? false,
      images: [],
      createdAt: at,
      updatedAt: at,
      phoneNumber: customer.phoneNumber,
      problemDescription,
      ...(purchaseDate && { purchaseDate }),
      ...(storeNumber && { storeNumber }),
      ...(dealerReferenceNo && { dealerReferenceNo }),
    }
    await tx.tickets.put(ticket)
    return withMissedStatus(ticket, now)
  })
}

/** Operation 20. */
export async function lookUpTicket({ store, clock }: Ports, dealer: Dealer, srid: string): Promise<ServiceRequest> {
  return withMissedStatus(await requireTicket(store, dealer, srid), clock.now())
}

/** Another company's ticket is answered like a missing one (our choice). */
export async function findTicket({ tickets }: View, { companyId }: Dealer, srid: string): Promise<Ticket | undefined> {
  const ticket = await tickets.get(srid)
  return ticket?.companyId === companyId ? ticket : undefined
}

/** Foreign and unknown tickets get the same text without an id, so that answers do not differ. */
export async function requireTicket(view: View, dealer: Dealer, srid: string): Promise<Ticket> {
  const ticket = await findTicket(view, dealer, srid)
  if (!ticket) throw notFound('no ticket of yours has this srid', 'our choice: foreign-is-unknown')
  return ticket
}

export function requireVisit(
  tx: Transaction,
  center: ServiceCenter,
  { bpNo, appointmentDate: date, timeSlot: slotId }: Pick<TicketDraft, 'bpNo' | 'appointmentDate' | 'timeSlot'>,
  now: number,
): Promise<Place> {
  return requirePlace(tx, { center, kind: 'IH', date, slotId, holder: `bp:${bpNo}`, now })
}

export function newAppointmentId({ random }: Ports): Promise<string> {
  return newId(random, 'appointment', 'A')
}
