import type { Ports } from '#server/ports.ts'
import type { Transaction } from '#server/ports/store.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { Customer } from '#contract/records/dealer/customer.ts'
import type { ProductModel } from '#contract/records/dealer/product.ts'
import type { TicketDraft } from '#contract/records/dealer/ticket.ts'
import { coversInHome } from '../appointments/service-centers.ts'
import { findMisplacedImeis } from '../device-ids.ts'
import { type Finding, finding, invalidInput, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'

export async function requireModel(tx: Transaction, modelCode: string): Promise<ProductModel> {
  const model = await tx.productModels.get(modelCode)
  if (!model) throw notFound(`there is no model ${modelCode}`, 'our choice: ticket-references')
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

/** Our choice: the centre visits the customer for such work, the store is the company's, an IMEI is a phone's. */
export async function assertUsable(
  { zipCodes }: Ports,
  tx: Transaction,
  { dealer: { companyId }, draft, customer, model: { subType }, center, isCovered }: TicketParts,
): Promise<void> {
  const findings: Finding[] = findMisplacedImeis(subType, draft)
  const add = (field: keyof TicketDraft, rule: string) =>
    findings.push(finding(`body.${field}`, rule, { source: 'our choice: ticket-references' }))
  const { storeNumber } = draft
  if (storeNumber !== undefined && (await tx.stores.count({ companyId, storeNumber })) === 0) {
    add('storeNumber', 'is none of the stores of your company')
  }
  const place = zipCodes.find(customer.zipCode.slice(0, 5))
  if (!place || !coversInHome(center, place, subType)) {
    add('ascCode', `is ${center.ascCode}, which does not visit ${customer.zipCode} for a ${subType}`)
  }
  if (refusesWork(center, isCovered)) add('ascCode', `is ${center.ascCode}, which takes no work out of warranty`)
  if (findings.length > 0) throw invalidInput(findings)
}

/** Operations 8 and 9: a centre that takes no work out of warranty takes a product of which nobody knows. */
export function refusesWork({ inHome }: ServiceCenter, isCovered: boolean | undefined): boolean {
  return isCovered === false && inHome?.outOfWarranty === false
}
