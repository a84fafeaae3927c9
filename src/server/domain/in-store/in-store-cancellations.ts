import type { Ports } from '#server/ports.ts'
import type { Transaction } from '#server/ports/store.ts'
import type { InStoreRequest } from '#contract/records/in-store/in-store-request.ts'
import { released, isUnderWay, withStatusAt } from '../appointments/appointments.ts'
import { releaseBooking } from '../appointments/bookings.ts'
import { notFound } from '../errors.ts'
import type { User } from '../identity.ts'
import { findInStoreRequest } from './in-store-requests.ts'
import { isOpen, moveTo } from '../progress.ts'

export interface Cancellation {
  cancelled: boolean
}

/** Operation 31. `cancelled` is false if the request is closed or its appointment is under way (our choice). */
export async function cancelInStoreRequest(
  { store, clock, world: { choices } }: Ports,
  user: User,
  { srid, remoteId }: { srid: string; remoteId?: string | undefined },
): Promise<Cancellation | undefined> {
  const now = clock.now()
  return store.transaction(async (tx) => {
    const found = await findInStoreRequest(tx, user, srid)
    if (!found && choices['cancel-nothing'] === 204) return undefined
    if (!found) throw notFound('you have no in-store request with this srid', 'our choice: cancel-nothing')
    // The latest remote ID is stored even if the request is not cancelled.
    const request = remoteId === undefined ? found : { ...found, remoteId }
    if (isCancellable(request, now)) {
      await cancel(tx, request, now, 'CANCELLED')
      return { cancelled: true }
    }
    if (request !== found) await tx.inStoreRequests.put(request)
    return { cancelled: false }
  })
}

/** Operation 35: document 1, section 4, rule 8. Our choice: a wrong key gets the same error as an unknown srid. */
export async function cancelByEmail(
  { store, clock, digests }: Ports,
  { srid, key }: { srid: string; key: string },
): Promise<Cancellation> {
  const now = clock.now()
  const given = digests.sha256(key)
  return store.transaction(async (tx) => {
    const request = await tx.inStoreRequests.get(srid)
    // The key is compared even if the srid is unknown, so that the response time is the same.
    const fits = digests.equal(given, request?.cancelKeyDigest ?? '0'.repeat(given.length))
    if (!request || !fits) throw notFound('this cancellation link is not valid', 'our choice: cancel-key')
    if (!isCancellable(request, now)) return { cancelled: false }
    await cancel(tx, request, now, 'CANCELLED_BY_EMAIL')
    return { cancelled: true }
  })
}

function isCancellable(request: InStoreRequest, now: number): boolean {
  return isOpen(withStatusAt(request, now)) && !isUnderWay(request, now)
}

/** Keeps the digest of the key, so that the link still shows the state of the request. */
async function cancel(tx: Transaction, request: InStoreRequest, now: number, reason: string): Promise<void> {
  const at = new Date(now).toISOString()
  await releaseBooking(tx, request.appointment.appointmentId)
  await tx.inStoreRequests.put({
    ...request,
    ...moveTo(request, 'E0003', at, reason, 'CANCELLED'),
    appointment: released(withStatusAt(request, now).appointment, 'CANCELLED'),
    updatedAt: at,
  })
}
