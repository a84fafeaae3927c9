import { utcDate } from '#contract/records/local-times.ts'
import { addMonths } from '../time.ts'
import type { Transaction } from '#server/ports/store.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'

/** A warranty from 31 January plus a month ends on 28 or 29 February. */
export function warrantyEndDate(from: string, months: number): string {
  return addMonths(from, months)
}

/** Our choice: the end date is the last day in warranty, and days are those of UTC. `now` in milliseconds. */
export function inWarranty(endDate: string, now: number): boolean {
  return utcDate(now) <= endDate
}

/** Our choice: a purchase date is in the future when UTC has not reached it. */
export function isFutureDate(date: string, now: number): boolean {
  return date > utcDate(now)
}

/**
 * The customer's registered product decides, else the date of purchase. Gives nothing where neither tells, which is no
 * proof.
 */
export async function findWarranty(
  tx: Transaction,
  { bpNo, modelCode, serialNumber, purchaseDate }: Pick<Ticket, 'bpNo' | 'modelCode' | 'serialNumber' | 'purchaseDate'>,
  now: number,
): Promise<boolean | undefined> {
  const [registered] = await tx.registeredProducts.find({ where: { bpNo, modelCode, serialNumber }, limit: 1 })
  const model = await tx.productModels.get(modelCode)
  const bought = purchaseDate && model && warrantyEndDate(purchaseDate, model.warrantyMonths)
  const end = registered?.warrantyEndDate ?? bought
  return end === undefined ? undefined : inWarranty(end, now)
}
