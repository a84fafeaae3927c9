import { asGuest, buildTestApp } from '../build-test-app.ts'
import { newInStoreRequest } from './appointments.ts'
import { multipartType, newImageForm } from './multipart.ts'
import { newTicket, putTestDealers } from '../records.ts'

export const TICKET = { srid: '9410000001', ticketNumber: '9720000001' }
export const IN_STORE = { srid: '9410000101', ticketNumber: '9720000101' }

export async function buildUploadApp() {
  const test = buildTestApp()
  await putTestDealers(test.store)
  await test.store.transaction(async (tx) => {
    await tx.tickets.put(newTicket())
    await tx.inStoreRequests.put(newInStoreRequest())
  })
  const upload = (
    query: Record<string, string> = { srid: TICKET.srid },
    payload: Buffer | string = newImageForm(),
    headers: Record<string, string> = asGuest(),
    type = multipartType,
  ) =>
    test.app.inject({
      method: 'POST',
      url: '/stg/us/guest/serviceRequest/asset/symptomImage',
      query,
      headers: { ...headers, ...(type && { 'content-type': type }) },
      payload,
    })
  return { ...test, upload }
}
