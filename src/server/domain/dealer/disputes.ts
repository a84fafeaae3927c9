import type { Ports } from '#server/ports.ts'
import type { Transaction, View } from '#server/ports/store.ts'
import type { DisputeDraft } from '#contract/records/dealer/dispute.ts'
import type { RegisteredProduct } from '#contract/records/dealer/product.ts'
import type { ServiceRequest } from '#contract/records/dealer/service-request.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'
import { DomainError, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { isOpen, openProgress } from '../progress.ts'
import { newRequestIds, takeRequestIds } from '../ids.ts'
import { requireCustomer, toCustomer } from './customers.ts'
import { assertPurchaseDate, requireRegisteredProduct } from './registered-products.ts'
import { inWarranty, warrantyEndDate } from './warranty.ts'

/** Operation 15. The request has no appointment. The warranty changes when the dispute is completed. */
export async function submitDispute(ports: Ports, dealer: Dealer, draft: DisputeDraft): Promise<ServiceRequest> {
  const now = ports.clock.now()
  assertPurchaseDate(draft.purchaseDate, now)
  const at = new Date(now).toISOString()
  const ids = await newRequestIds(ports.random)
  return ports.store.transaction(async (tx) => {
    const customer = toCustomer(await requireCustomer(tx, dealer, draft.bpNo))
    const { bpNo, modelCode, serial } = draft
    const product = await requireRegisteredProduct(tx, bpNo, { modelCode, serialNumber: serial })
    await assertReceipt(tx, dealer, draft.receiptFileKey)
    await assertNoOtherOpen(tx, draft.bpNo, product)
    const ticket: Ticket = {
      ...openProgress(at, 'DISPUTE_SUBMITTED', 'DS'),
      ...(await takeRequestIds(tx, ids)),
      serviceType: 'DS',
      bpNo: draft.bpNo,
      companyId: dealer.companyId,
      customer,
      phoneNumber: customer.phoneNumber,
      modelCode: product.modelCode,
      serialNumber: product.serialNumber!,
      symptoms: [],
      previousAppointments: [],
      inWarranty: inWarranty(product.warrantyEndDate, now),
      images: [],
      purchaseDate: draft.purchaseDate,
      receiptFileKey: draft.receiptFileKey,
      createdAt: at,
      updatedAt: at,
    }
    await tx.tickets.put(ticket)
    return ticket
  })
}

/** Updates all registrations of the product. The returned dispute has the new warranty status. */
export async function settleDispute(tx: Transaction, dispute: Ticket, now: number): Promise<Ticket> {
  const { bpNo, modelCode, serialNumber, purchaseDate } = dispute
  const model = await tx.productModels.get(modelCode)
  if (purchaseDate === undefined || !model) return dispute
  const warrantyEnd = warrantyEndDate(purchaseDate, model.warrantyMonths)
  for (const product of await tx.registeredProducts.find({ where: { bpNo, modelCode, serialNumber } })) {
    await tx.registeredProducts.put({ ...product, purchaseDate, warrantyEndDate: warrantyEnd })
  }
  return { ...dispute, inWarranty: inWarranty(warrantyEnd, now) }
}

/** The receipt must be a file of the company or an image of one of its tickets. Any other is unknown. */
async function assertReceipt(view: View, { companyId }: Dealer, key: string): Promise<void> {
  const receipt = await view.receiptFiles.get(key)
  if (receipt?.companyId === companyId) return
  const image = await view.symptomImages.get(key)
  const ticket = image && (await view.tickets.get(image.srid))
  if (ticket?.companyId === companyId) return
  throw notFound('receiptFileKey does not name a receipt of your company', 'our choice: receipts')
}

async function assertNoOtherOpen({ tickets }: View, bpNo: string, product: RegisteredProduct): Promise<void> {
  const { modelCode, serialNumber } = product
  const own = await tickets.find({ where: { bpNo } })
  const isSame = (ticket: Ticket) => ticket.modelCode === modelCode && ticket.serialNumber === serialNumber
  if (!own.some((ticket) => ticket.serviceType === 'DS' && isOpen(ticket) && isSame(ticket))) return
  throw new DomainError('conflict', 'this product already has an open dispute', { source: 'our choice: disputes' })
}
