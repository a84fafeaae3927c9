import type { Ports, Transaction } from '../../ports.ts'
import type { InStoreRequest } from '../../schemas/in-store/in-store-request.ts'
import { isUnderWay } from '../appointments/appointments.ts'
import { releaseBooking } from '../appointments/bookings.ts'
import { notFound } from '../errors.ts'
import type { User } from '../identity.ts'
import { findInStoreRequest } from './in-store-requests.ts'
import { isOpen, moveTo } from '../progress.ts'

export interface Cancellation {
  cancelled: boolean
}

/** Operation 31; false when the caller's own request is closed or its appointment is under way (our choice). */
export async function cancelInStoreRequest({ store, clock }: Ports, user: User, srid: string): Promise<Cancellation> {
  const now = clock.now()
  return store.transaction(async (tx) => {
    const request = await findInStoreRequest(tx, user, srid)
    if (!request) throw notFound('no in-store request of yours has this srid')
    if (!isCancellable(request, now)) return { cancelled: false }
    await cancel(tx, request, now, 'CANCELLED')
    return { cancelled: true }
  })
}

/** Operation 35: document 1, section 4, rule 8. A wrong, used or dead key and an unknown srid are one refusal. */
export async function cancelByEmail(
  { store, clock, digests }: Ports,
  { srid, key }: { srid: string; key: string },
): Promise<Cancellation> {
  const now = clock.now()
  const given = digests.sha256(key)
  return store.transaction(async (tx) => {
    const request = await tx.inStoreRequests.get(srid)
    // Compared in any case, so that an unknown srid takes no less time.
    const fits = digests.equal(given, request?.cancelKeyDigest ?? '0'.repeat(given.length))
    if (!request || !fits || !isCancellable(request, now)) {
      throw notFound('this link cancels nothing: it is wrong, used or too old')
    }
    await cancel(tx, request, now, 'CANCELLED_BY_EMAIL')
    return { cancelled: true }
  })
}

function isCancellable(request: InStoreRequest, now: number): boolean {
  return isOpen(request) && !isUnderWay(request.appointment, now)
}

/** The place is free again and the key of the e-mailed link is dead. */
async function cancel(tx: Transaction, request: InStoreRequest, now: number, reason: string): Promise<void> {
  const { cancelKeyDigest: _, ...rest } = request
  const at = new Date(now).toISOString()
  await releaseBooking(tx, request.appointment.appointmentId)
  await tx.inStoreRequests.put({
    ...rest,
    ...moveTo(request, 'E0003', at, reason, 'CANCELLED'),
    appointment: { ...request.appointment, status: 'CANCELLED' },
    updatedAt: at,
  })
}
