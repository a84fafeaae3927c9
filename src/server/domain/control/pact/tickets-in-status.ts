import type { Ports } from '../../../ports.ts'
import { DEFAULT_MODEL } from '../../../../contract/records/appointments/schedule.ts'
import type { Customer } from '../../../../contract/records/dealer/customer.ts'
import type { ServiceRequest } from '../../../../contract/records/dealer/service-request.ts'
import type { TicketStatus } from '../../../../contract/records/progress.ts'
import { lookUpSchedule } from '../../appointments/schedules.ts'
import { createTicket } from '../../dealer/tickets.ts'
import { inWarranty } from '../../dealer/warranty.ts'
import { DomainError, finding, invalidInput } from '../../errors.ts'
import type { Dealer } from '../../identity.ts'
import { completeTicket, confirmTicket } from '../ticket-progress.ts'

/** No fixture registers this device. */
const UNREGISTERED = '0PACT000001'

/** The ticket is made and moved as by a dealer and a service center, in the first free window. */
export async function createTicketInStatus(ports: Ports, status: TicketStatus, bpNo: string): Promise<ServiceRequest> {
  const customer = await ports.store.customers.get(bpNo)
  if (!customer)
    throw invalidInput([
      finding('body.state', `names customer ${bpNo}; there is none`, { source: 'our choice: control-refusals' }),
    ])
  const ticket = await createInFreeWindow(ports, customer)
  if (status === 'E0001') return ticket
  const confirmed = await confirmTicket(ports, ticket.srid)
  return (status === 'E0002' ? confirmed : await completeTicket(ports, ticket.srid)) as ServiceRequest
}

async function createInFreeWindow(ports: Ports, { bpNo, companyId, zipCode }: Customer): Promise<ServiceRequest> {
  const [product] = await ports.store.registeredProducts.find({ where: { bpNo }, limit: 1 })
  const modelCode = product?.modelCode ?? DEFAULT_MODEL
  const serialNumber = product?.serialNumber ?? UNREGISTERED
  const model = await ports.store.productModels.get(modelCode)
  const dealer: Dealer = { source: 'vendor.com', userId: `pact:${companyId}`, companyId }
  const isCovered = !product || inWarranty(product.warrantyEndDate, ports.clock.now())
  const kind = { inWarranty: isCovered, isReschedule: false, type: 'PI' } as const
  const { ascCode, schedules } = await lookUpSchedule(ports, dealer, {
    zipCode: zipCode.slice(0, 5),
    modelCode,
    ...kind,
  })
  const symptoms = await findSymptoms(ports, model?.subType ?? '')
  const visit = { bpNo, modelCode, serialNumber, ascCode, ...symptoms, serviceType: 'IH' as const }
  let refusal: unknown
  for (const { date, timeSlots } of schedules) {
    for (const { slotId, available } of timeSlots) {
      if (!available) continue
      const draft = { ...visit, problemDescription: 'A state of a pact', appointmentDate: date, timeSlot: slotId }
      try {
        return await createTicket(ports, dealer, draft)
      } catch (error) {
        // The customer already holds a place then, or somebody was faster.
        if (!(error instanceof DomainError) || !['conflict', 'slot-unavailable'].includes(error.code)) throw error
        refusal = error
      }
    }
  }
  throw (
    refusal ??
    invalidInput([
      finding('body.state', `asks for a visit at ${zipCode}; no window is free`, {
        source: 'our choice: control-refusals',
      }),
    ])
  )
}

async function findSymptoms({ store }: Ports, subType: string) {
  const [first] = await store.symptoms.find({ where: { subType, level: 1 }, limit: 1 })
  const [second] = await store.symptoms.find({ where: { subType, level: 2, parentCode: first?.code }, limit: 1 })
  return { symCode1: first?.code ?? '', symCode2: second?.code ?? '' }
}
