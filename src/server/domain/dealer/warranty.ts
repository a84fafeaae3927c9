import { utcDate } from '#contract/records/local-times.ts'
import { addMonths } from '../time.ts'
import type { Transaction } from '#server/ports/store.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'

/** If the date is 31 January and the period is one month, the result is the last day of February. */
export function warrantyEndDate(from: string, months: number): string {
  return addMonths(from, months)
}

/** `endDate` is the last day of the warranty in UTC. `now` is in milliseconds since the epoch. */
export function inWarranty(endDate: string, now: number): boolean {
  return utcDate(now) <= endDate
}

export function isFutureDate(date: string, now: number): boolean {
  return date > utcDate(now)
}

/** From the registration, otherwise the purchase date. Returns undefined if neither is known. */
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
