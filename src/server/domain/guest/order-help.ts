import type { Ports } from '#server/ports.ts'
import type { ContactReasonList, OrderHelpForm } from '#contract/records/guest/order-help.ts'
import { notFound } from '../errors.ts'

/** Operation 1. */
export async function listContactReasons({ store }: Ports): Promise<ContactReasonList> {
  return { reasons: await store.contactReasons.find({ orderBy: { field: 'displayOrder', direction: 'asc' } }) }
}

/** Operation 2: the form to fill in for a reason. */
export async function requireOrderHelpForm({ store }: Ports, reasonId: string): Promise<OrderHelpForm> {
  const reason = await store.contactReasons.get(reasonId)
  if (reason) return reason
  throw notFound('there is no such contact reason', 'our choice: unknown-ids')
}
