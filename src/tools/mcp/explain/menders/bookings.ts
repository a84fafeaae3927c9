import { requireOperation } from '../../calls/operations.ts'
import { listRecords, profileKeyOf } from '../known/records.ts'
import type { Change, Mender } from '../mender.ts'
import { findSlots } from '../known/slots.ts'

const MOST = 6
const BOOKINGS: readonly unknown[] = [8, 9, 33]

/** A slot may be full, past or unknown, or overlap another booking; the next free one is suggested. */
export const mendSlot: Mender = async ({ fork }, { call, refusal: { code, source } }) => {
  const isSlot = code === 'SlotUnavailable' || source === 'our choice: booking-overlap'
  if (!isSlot || !BOOKINGS.includes(call.operation?.operation)) return []
  return (await findSlots(fork, call)).slice(0, MOST).map(({ take, told }) => ({ call: take(call), told }))
}

/**
 * Document 1, section 4, rule 2 allows a user one open request for unregistered products, so the open one ends first.
 */
export const mendOpenRequest: Mender = async ({ fork }, { call, refusal: { code } }) => {
  const { operation, headers } = call
  if (operation?.operation !== 33 || code !== 'ConflictError') return []
  const userId = profileKeyOf(call)
  const requests = userId === undefined ? [] : await listRecords(fork, 'inStoreRequests', { userId })
  const open = requests.filter(({ status }) => status !== 'E0003')
  const cancel = requireOperation(31)
  const { 'content-type': _, ...own } = headers
  return open.map(({ srid }): Change => {
    const { method, path } = cancel
    const query = { srid: String(srid) }
    return {
      call,
      told: 'the call stays as it is, behind the cancellation',
      first: {
        told: `operation 31 cancels the open request ${srid}`,
        call: { operation: cancel, method, path, params: {}, query, headers: own, body: undefined },
      },
    }
  })
}
