import { createHash } from 'node:crypto'
import { newTicket } from '../../test/helpers/records.ts'
import { type Ground, sending, soapCall, times } from './ground.ts'
import { readParts, writeParts } from '../../test/helpers/documents/snapshots.ts'

const TICKETS = 100_000
const identity = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const bearer = { authorization: 'Bearer token-home' }

/** The world has 100,000 tickets. Each request is the first of its kind in the process. */
export async function measureLargeWorlds({ call, url }: Ground): Promise<void> {
  await call('first GET with identity', 200, '/stg/us/guest/zipCode?zipCode=07660', { headers: identity })
  await call('first list of tickets', 200, '/stg/us/dealer/tickets?limit=20', { headers: identity })
  await call('first OpenAPI file, document 1', 200, '/openapi/support.json')
  await call('first OpenAPI file, control API', 200, '/openapi/control.json')
  await call('first coverage', 200, '/_control/coverage')
  const draft = { name: 'bench', version: 1, subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  await call('first subscription', 200, '/subscriptions', sending('POST', draft, bearer))
  await call('first SOAP call', 200, '/iap/ws/RTCService', soapCall('<secret>123456789012</secret>'))
  const fresh = await call('first snapshot', 200, '/_control/snapshot')
  const zeros = times(340_000, () => 0)
  const wrong = { ...draft, subscriptionFilters: zeros }
  await call('a subscription with 340,000 wrong filters', 400, '/subscriptions', sending('POST', wrong, bearer))
  const filters = times(5000, (i) => `unknown-${i}`)
  const unknown = { ...draft, subscriptionFilters: [{ type: 'DEVICEIDS', value: filters }] }
  await call('a subscription with 5,000 unknown devices', 400, '/subscriptions', sending('POST', unknown, bearer))
  await call(
    'a record with 340,000 wrong entries',
    400,
    '/_control/records/tickets/1',
    sending('PUT', { images: zeros }),
  )

  const images = readParts(fresh)
  const [image] = images.records.symptomImages
  for (let i = 0; i < 21; i++) {
    const bytes = Buffer.alloc(4_999_000, i)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const own = { imageId: `IMG-${i}`, srid: String(5_000_000_000 + i), sequence: 1, size: bytes.length, sha256 }
    images.records.symptomImages.push({ ...image, ...own })
    images.blobs[sha256] = bytes.toString('base64')
  }
  await call('restoring 105 MB of images', 204, '/_control/snapshot', sending('PUT', writeParts(images)))
  await call('a snapshot of 105 MB of images', 200, '/_control/snapshot')

  const snapshot = readParts(fresh)
  for (let i = 0; i < TICKETS; i++) snapshot.records.tickets.push(ticketOf(i))
  const large = writeParts(snapshot)
  snapshot.records.tickets = []
  const size = (large.length / 1e6).toFixed(0)
  await call(`restoring a snapshot of ${size} MB`, 204, '/_control/snapshot', sending('PUT', large))
  const put = (i: number) => [`/_control/records/tickets/${5_000_000_000 + i}`, sending('PUT', ticketOf(i))] as const
  await call('first write to a world of 100,000', 200, ...put(TICKETS))
  await call('first page of 100,000', 200, '/stg/us/dealer/tickets?limit=20', { headers: identity })
  await call('a snapshot of 100,000', 200, '/_control/snapshot')
  await call('a fork of 100,000', 200, '/_control/worlds', sending('POST', { name: 'fork', from: 'default' }))
  const [path, init] = put(TICKETS + 1)
  await call('first write to the fork', 200, `/w/fork${path}`, init)
  await call('first write behind the fork', 200, ...put(TICKETS + 2))
  await call('first page of the fork', 200, '/w/fork/stg/us/dealer/tickets?limit=20', { headers: identity })
  for (let i = 0; i < 10_000; i += 50) {
    const zip = `${url}/stg/us/guest/zipCode?zipCode=07660`
    await Promise.all(times(50, () => fetch(zip, { headers: identity }).then((reply) => reply.text())))
  }
  await call('the journal of 10,000, searched in vain', 200, '/_control/journal?q=nowhere')
  const verify = { match: { path: '/iap/*' }, count: 0 }
  await call('verifying the journal of 10,000', 200, '/_control/journal/verify', sending('POST', verify))
  await call('an archive of the journal of 10,000', 200, '/_control/journal?format=har')
  await call('a reset', 204, '/_control/reset', { method: 'POST' })
}

function ticketOf(i: number) {
  const createdAt = new Date(Date.UTC(2020, 0, 1) + ((i * 48_271) % 1_000_003) * 60_000).toISOString()
  const [srid, ticketNumber] = [String(5_000_000_000 + i), String(8_500_000_000 + i)]
  return newTicket({ srid, ticketNumber, createdAt, companyId: 'C100' })
}
