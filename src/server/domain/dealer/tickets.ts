import type { Source } from '#contract/rules.ts'
import type { Ports } from '#server/ports.ts'
import type { Transaction, View } from '#server/ports/store.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { ServiceRequest, SymptomChoice } from '#contract/records/dealer/service-request.ts'
import type { Ticket, TicketDraft } from '#contract/records/dealer/ticket.ts'
import { withStatusAt } from '../appointments/appointments.ts'
import { type Place, requirePlace, takePlace } from '../appointments/bookings.ts'
import { coversInHome, requireServiceCenter } from '../appointments/service-centers.ts'
import { finding, invalidInput, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { newId, newRequestIds, takeRequestIds } from '../ids.ts'
import { findWrongSymptoms } from '../symptom-codes.ts'
import { openProgress } from '../progress.ts'
import { requireCustomer, toCustomer } from './customers.ts'
import { assertPurchaseDate } from './registered-products.ts'
import { findWarranty } from './warranty.ts'
import type { Customer } from '#contract/records/dealer/customer.ts'
import type { ProductModel } from '#contract/records/dealer/product.ts'
import { assertNoOtherOwner, findDeviceErrors } from '../device-ids.ts'

/** Operation 8. The product does not have to be registered. */
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
    return withStatusAt(ticket, now)
  })
}

export async function lookUpTicket({ store, clock }: Ports, dealer: Dealer, srid: string): Promise<ServiceRequest> {
  return withStatusAt(await requireTicket(store, dealer, srid), clock.now())
}

/** Returns undefined for another company's ticket, as for an unknown ticket. */
export async function findTicket({ tickets }: View, { companyId }: Dealer, srid: string): Promise<Ticket | undefined> {
  const ticket = await tickets.get(srid)
  return ticket?.companyId === companyId ? ticket : undefined
}

/** The message omits the ID, so that another company's ticket looks unknown. */
export async function requireTicket(view: View, dealer: Dealer, srid: string): Promise<Ticket> {
  const ticket = await findTicket(view, dealer, srid)
  if (!ticket) throw notFound('your company has no ticket with this srid', 'our choice: foreign-is-unknown')
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

async function requireModel(tx: Transaction, modelCode: string): Promise<ProductModel> {
  const model = await tx.productModels.get(modelCode)
  if (!model) throw notFound(`model ${modelCode} does not exist`, 'our choice: ticket-references')
  return model
}

interface TicketParts {
  dealer: Dealer
  draft: TicketDraft
  customer: Customer
  model: ProductModel
  center: ServiceCenter
  isCovered: boolean | undefined
}

const ofProduct = { source: 'our choice: ticket-product' } as const

/** The center must offer in-home visits for the product, and the store must belong to the company. */
async function assertUsable(
  { zipCodes }: Ports,
  tx: Transaction,
  { dealer: { companyId }, draft, customer, model: { modelCode, subType }, center, isCovered }: TicketParts,
): Promise<void> {
  const findings = await findDeviceErrors(tx, draft, subType, (code) => code === modelCode, ofProduct)
  const add = (field: keyof TicketDraft, rule: string, source: Source = 'our choice: ticket-references') =>
    findings.push(finding(`body.${field}`, rule, { source }))
  const { storeNumber } = draft
  if (storeNumber !== undefined && (await tx.stores.count({ companyId, storeNumber })) === 0) {
    add('storeNumber', 'is not a store of your company')
  }
  const place = zipCodes.find(customer.zipCode.slice(0, 5))
  if (!place || !coversInHome(center, place, subType)) {
    const hint = 'GET /stg/us/dealer/schedule names the center that does'
    add('ascCode', `is ${center.ascCode}, which does not visit ${customer.zipCode} for a ${subType}; ${hint}`)
  }
  if (rejectsWork(center, isCovered)) {
    add(
      'ascCode',
      `is ${center.ascCode}, which does not accept out-of-warranty products`,
      'our choice: out-of-warranty',
    )
  }
  if (findings.length > 0) throw invalidInput(findings)
  await assertNoOtherOwner(tx, draft, customer.bpNo, ofProduct)
}

/** Operations 8 and 9. Returns false if the warranty of the product is unknown. */
export function rejectsWork({ inHome }: ServiceCenter, isCovered: boolean | undefined): boolean {
  return isCovered === false && inHome?.outOfWarranty === false
}

async function requireSymptoms(
  view: View,
  subType: string,
  { symCode1, symCode2, symCode3 }: Pick<TicketDraft, 'symCode1' | 'symCode2' | 'symCode3'>,
): Promise<SymptomChoice[]> {
  const codes = [symCode1, symCode2, symCode3]
  const findings = (await findWrongSymptoms(view, subType, codes)).map(({ code, level, below }) => {
    const rule = `is ${code}, which is not a symptom of level ${level}${below} for a ${subType}`
    const hint = `GET /stg/us/dealer/symptom?subType=${subType} lists them`
    return finding(`body.symCode${level}`, `${rule}; ${hint}`, { source: 'our choice: ticket-references' })
  })
  if (findings.length > 0) throw invalidInput(findings)
  const choices: SymptomChoice[] = []
  for (const [i, code] of codes.entries()) {
    if (code === undefined) continue
    const symptom = await view.symptoms.get(code)
    choices.push({ level: i + 1, code, name: symptom?.names['E'] ?? code })
  }
  return choices
}
