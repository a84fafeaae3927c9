import { utcDate } from '#contract/records/local-times.ts'
import { addMonths } from '../time.ts'
import type { Transaction } from '#server/ports/store.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'

/** 31 January plus a month is 28 or 29 February. */
export function warrantyEndDate(from: string, months: number): string {
  return addMonths(from, months)
}

/** The end date is the last day of the warranty (UTC). `now` is in milliseconds. */
export function inWarranty(endDate: string, now: number): boolean {
  return utcDate(now) <= endDate
}

/** Compares with the date in UTC. */
export function isFutureDate(date: string, now: number): boolean {
  return date > utcDate(now)
}

/** Uses the registered product of the customer, or else the purchase date. Returns undefined if both are unknown. */
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
