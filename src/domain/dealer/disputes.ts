import type { Ports } from '../../ports.ts'
import type { DisputeDraft, Ticket } from '../../schemas/dealer/service-request.ts'
import { requireCustomer, toCustomer } from './customers.ts'
import { DomainError } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { openProgress } from '../progress.ts'
import { assertPurchaseDate, requireRegisteredProduct } from './registered-products.ts'
import { newRequestIds, takeRequestIds } from '../request-ids.ts'
import { inWarranty } from './warranty.ts'

/**
 * Operation 15: a dispute is a service request of its own, without an appointment (our choice). Whether the product
 * is in warranty stays as registered: the purchase date it claims is what the dispute is about.
 */
export async function submitDispute(ports: Ports, dealer: Dealer, draft: DisputeDraft): Promise<Ticket> {
  const now = ports.clock.now()
  assertPurchaseDate(draft.purchaseDate, now)
  const at = new Date(now).toISOString()
  const ids = await newRequestIds(ports.random)
  return ports.store.transaction(async (tx) => {
    const customer = toCustomer(await requireCustomer(tx, dealer, draft.bpNo))
    const product = await requireRegisteredProduct(tx, draft.bpNo, draft.modelCode, draft.serial)
    if (!(await tx.receiptFiles.get(draft.receiptFileKey))) {
      throw new DomainError('not-found', 'receiptFileKey names no receipt that we have', { source: 'our choice' })
    }
    const ticket: Ticket = {
      ...openProgress(at, 'DISPUTE_SUBMITTED'),
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
