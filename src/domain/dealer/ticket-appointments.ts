import type { Ports, Transaction } from '../../ports.ts'
import type { Customer } from '../../schemas/dealer/customer.ts'
import type { ProductModel } from '../../schemas/dealer/product.ts'
import type { ServiceCenter } from '../../schemas/appointments/service-center.ts'
import type {
  Appointment,
  GeneralResponse,
  RescheduleDraft,
  Ticket,
  TicketDraft,
} from '../../schemas/dealer/service-request.ts'
import { bookSlot, hasStarted, releaseBooking } from '../appointments/bookings.ts'
import { requireCustomer, toCustomer } from './customers.ts'
import { findMisplacedImeis } from '../device-ids.ts'
import { DomainError, invalidInput } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { newId } from '../ids.ts'
import { isOpen, moveTo, openProgress } from '../progress.ts'
import { assertPurchaseDate } from './registered-products.ts'
import { newRequestIds, takeRequestIds } from '../request-ids.ts'
import { coversInHome, requireServiceCenter } from '../appointments/service-centers.ts'
import { requireSymptoms } from './ticket-symptoms.ts'
import { findTicket, requireTicket } from './tickets.ts'
import { inWarranty, warrantyEndDate } from './warranty.ts'

/** Operation 8: a ticket for a dealer's customer, with its appointment. The product need not be registered. */
export async function createTicket(ports: Ports, dealer: Dealer, draft: TicketDraft): Promise<Ticket> {
  const now = ports.clock.now()
  assertPurchaseDate(draft.purchaseDate, now)
  const ids = await newRequestIds(ports.random)
  const appointmentId = await newAppointmentId(ports)
  return ports.store.transaction(async (tx) => {
    const customer = toCustomer(await requireCustomer(tx, dealer, draft.bpNo))
    const model = await requireModel(tx, draft.modelCode)
    const center = await requireServiceCenter(tx, draft.ascCode)
    const misplaced = findMisplacedImeis(model.subType, draft)
    if (misplaced.length > 0) throw invalidInput(misplaced)
    const symptoms = await requireSymptoms(tx, model.subType, draft)
    assertCovers(ports, center, customer, model)
    const { srid, ticketNumber } = await takeRequestIds(tx, ids)
    const { bpNo, modelCode, serviceType, problemDescription, purchaseDate, storeNumber, dealerReferenceNo } = draft
    const { serialNumber } = draft
    const ticket: Ticket = {
      srid,
      ticketNumber,
      ...openProgress(toInstant(now), 'CREATED'),
      serviceType,
      bpNo,
      companyId: dealer.companyId,
      customer,
      modelCode,
      serialNumber,
      symptoms,
      ascCode: center.ascCode,
      ascName: center.ascName,
      appointment: await bookDealerSlot(tx, { center, draft, bpNo, srid, appointmentId, now }),
      previousAppointments: [],
      inWarranty: await isInWarranty(tx, { bpNo, serialNumber, purchaseDate }, model, now),
      images: [],
      createdAt: toInstant(now),
      updatedAt: toInstant(now),
      phoneNumber: customer.phoneNumber,
      problemDescription,
      ...(purchaseDate && { purchaseDate }),
      ...(storeNumber && { storeNumber }),
      ...(dealerReferenceNo && { dealerReferenceNo }),
    }
    await tx.tickets.put(ticket)
    return ticket
  })
}

/** Operation 9: the old place is free again, and the new appointment waits to be confirmed. The centre stays. */
export async function rescheduleTicket(ports: Ports, dealer: Dealer, draft: RescheduleDraft): Promise<Ticket> {
  const now = ports.clock.now()
  const appointmentId = await newAppointmentId(ports)
  return ports.store.transaction(async (tx) => {
    const ticket = await requireTicket(tx, dealer, draft.srid)
    const { appointment, ascCode, bpNo, srid } = ticket
    if (!isOpen(ticket)) throw conflict('the ticket is closed')
    if (!appointment || !ascCode) throw conflict('the ticket has no appointment to reschedule')
    if (hasStarted(appointment, now)) throw conflict('the appointment has started')
    const center = await requireServiceCenter(tx, ascCode)
    await releaseBooking(tx, appointment.appointmentId)
    const rescheduled: Ticket = {
      ...ticket,
      ...moveTo(ticket, 'E0001', toInstant(now), 'RESCHEDULED'),
      appointment: await bookDealerSlot(tx, { center, draft, bpNo, srid, appointmentId, now }),
      previousAppointments: [...ticket.previousAppointments, { ...appointment, status: 'RESCHEDULED' }],
      rescheduleReasonCode: draft.rescheduleReasonCode,
      updatedAt: toInstant(now),
    }
    await tx.tickets.put(rescheduled)
    return rescheduled
  })
}

/** Operation 10; undefined when there is nothing to cancel: an unknown ticket, another company's, a closed one. */
export async function cancelTicket(ports: Ports, dealer: Dealer, srid: string): Promise<GeneralResponse | undefined> {
  const now = ports.clock.now()
  return ports.store.transaction(async (tx) => {
    const ticket = await findTicket(tx, dealer, srid)
    if (!ticket || !isOpen(ticket)) return undefined
    const { appointment, status } = ticket
    if (appointment && hasStarted(appointment, now)) {
      const message = 'the appointment has started and cannot be cancelled any more'
      return { success: false, code: 'AppointmentStarted', message, srid, status }
    }
    if (appointment) await releaseBooking(tx, appointment.appointmentId)
    const cancelled: Ticket = {
      ...ticket,
      ...moveTo(ticket, 'E0003', toInstant(now), 'CANCELLED', 'CANCELLED'),
      ...(appointment && { appointment: { ...appointment, status: 'CANCELLED' } }),
      updatedAt: toInstant(now),
    }
    await tx.tickets.put(cancelled)
    return { success: true, code: 'OK', message: 'the ticket is cancelled', srid, status: cancelled.status }
  })
}

interface DealerBooking {
  center: ServiceCenter
  draft: Pick<TicketDraft, 'appointmentDate' | 'timeSlot'>
  bpNo: string
  srid: string
  appointmentId: string
  now: number
}

function bookDealerSlot(tx: Transaction, { draft, bpNo, ...rest }: DealerBooking): Promise<Appointment> {
  const { appointmentDate: date, timeSlot: slotId } = draft
  return bookSlot(tx, { ...rest, kind: 'IH', date, slotId, holder: `bp:${bpNo}` })
}

async function requireModel(tx: Transaction, modelCode: string): Promise<ProductModel> {
  const model = await tx.productModels.get(modelCode)
  if (!model) throw new DomainError('not-found', `there is no model ${modelCode}`, { source: 'our choice' })
  return model
}

function assertCovers({ zipCodes }: Ports, center: ServiceCenter, customer: Customer, { subType }: ProductModel): void {
  const place = zipCodes.find(customer.zipCode.slice(0, 5))
  if (place && coversInHome(center, place, subType)) return
  throw badField('ascCode', `is ${center.ascCode}, which does not visit ${customer.zipCode} for a ${subType}`)
}

/** By the customer's registered product, else by the date of purchase; without either there is no proof of warranty. */
async function isInWarranty(
  tx: Transaction,
  { bpNo, serialNumber, purchaseDate }: Pick<Ticket, 'bpNo' | 'serialNumber' | 'purchaseDate'>,
  { modelCode, warrantyMonths }: ProductModel,
  now: number,
): Promise<boolean> {
  const [registered] = await tx.registeredProducts.find({ where: { bpNo, modelCode, serialNumber }, limit: 1 })
  const end = registered?.warrantyEndDate ?? (purchaseDate && warrantyEndDate(purchaseDate, warrantyMonths))
  return end !== undefined && inWarranty(end, now)
}

function newAppointmentId({ random }: Ports): Promise<string> {
  return newId(random, 'appointment', 'A')
}

function badField(field: string, what: string): DomainError {
  const target = `body.${field}`
  return invalidInput([{ code: 'InvalidParameter', message: `${target} ${what}`, target, source: 'our choice' }])
}

function conflict(message: string): DomainError {
  return new DomainError('conflict', message, { source: 'our choice' })
}

function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
