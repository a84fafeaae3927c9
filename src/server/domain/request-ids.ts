import type { Random } from '../ports/chance.ts'
import type { View } from '../ports/store.ts'
import { firstUnused, newTenDigitIds } from './ids.ts'

/** Ids are drawn before the transaction; the first free one counts. */
export interface RequestIds {
  srids: readonly string[]
  ticketNumbers: readonly string[]
}

export async function newRequestIds(random: Random): Promise<RequestIds> {
  return { srids: await newTenDigitIds(random, 'srid'), ticketNumbers: await newTenDigitIds(random, 'ticketNumber') }
}

/** Dealer tickets and in-store requests share one range, so an id alone tells which is meant. */
export async function takeRequestIds(
  tx: View,
  { srids, ticketNumbers }: RequestIds,
): Promise<{ srid: string; ticketNumber: string }> {
  const isTaken = async (srid: string) => Boolean((await tx.tickets.get(srid)) ?? (await tx.inStoreRequests.get(srid)))
  const isNumberTaken = async (ticketNumber: string) =>
    (await tx.tickets.count({ ticketNumber })) + (await tx.inStoreRequests.count({ ticketNumber })) > 0
  return { srid: await firstUnused(srids, isTaken), ticketNumber: await firstUnused(ticketNumbers, isNumberTaken) }
}
