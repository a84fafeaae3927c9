import { newTicket } from '../../test/helpers/records.ts'
import { type Ground, sending, soapCall, times } from './ground.ts'

const TICKETS = 100_000
const identity = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const bearer = { authorization: 'Bearer token-home' }

/** The first request of each kind of a process, and those of a world of 100,000 tickets. */
export async function measureLargeWorlds({ call, url }: Ground): Promise<void> {
  await call('first GET with identity', '/stg/us/guest/zipCode?zipCode=07660', { headers: identity })
  await call('first list of tickets', '/stg/us/dealer/tickets?limit=20', { headers: identity })
  await call('first OpenAPI file, document 1', '/openapi/support.json')
  await call('first OpenAPI file, control API', '/openapi/control.json')
  await call('first coverage', '/_control/coverage')
  const draft = { name: 'bench', version: 1, subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  await call('first subscription', '/subscriptions', sending('POST', draft, bearer))
  await call('first SOAP call', '/iap/ws/RTCService', soapCall('<secret>123456789012</secret>'))
  const fresh = await call('first snapshot', '/_control/snapshot')
  const zeros = times(340_000, () => 0)
  const wrong = { ...draft, subscriptionFilters: zeros }
  await call('a subscription with 340,000 wrong filters', '/subscriptions', sending('POST', wrong, bearer))
  const filters = times(5000, (i) => `unknown-${i}`)
  const unknown = { ...draft, subscriptionFilters: [{ type: 'DEVICEIDS', value: filters }] }
  await call('a subscription with 5,000 unknown devices', '/subscriptions', sending('POST', unknown, bearer))
  await call('a record with 340,000 wrong entries', '/_control/records/tickets/1', sending('PUT', { images: zeros }))

  const snapshot = JSON.parse(fresh) as { records: { tickets: unknown[] } }
  for (let i = 0; i < TICKETS; i++) snapshot.records.tickets.push(ticketOf(i))
  const large = JSON.stringify(snapshot)
  snapshot.records.tickets = []
  const size = (large.length / 1e6).toFixed(0)
  await call(`restoring a snapshot of ${size} MB`, '/_control/snapshot', sending('PUT', large))
  const put = (i: number) => [`/_control/records/tickets/${5_000_000_000 + i}`, sending('PUT', ticketOf(i))] as const
  await call('first write to a world of 100,000', ...put(TICKETS))
  await call('first page of 100,000', '/stg/us/dealer/tickets?limit=20', { headers: identity })
  await call('a snapshot of 100,000', '/_control/snapshot')
  await call('a fork of 100,000', '/_control/worlds', sending('POST', { name: 'fork', from: 'default' }))
  const [path, init] = put(TICKETS + 1)
  await call('first write to the fork', `/w/fork${path}`, init)
  await call('first write behind the fork', ...put(TICKETS + 2))
  await call('first page of the fork', '/w/fork/stg/us/dealer/tickets?limit=20', { headers: identity })
  for (let i = 0; i < 10_000; i += 50) {
    const zip = `${url}/stg/us/guest/zipCode?zipCode=07660`
    await Promise.all(times(50, () => fetch(zip, { headers: identity }).then((reply) => reply.text())))
  }
  await call('the journal of 10,000, searched in vain', '/_control/journal?q=nowhere')
  const verify = { match: { path: '/iap/*' }, count: 0 }
  await call('verifying the journal of 10,000', '/_control/journal/verify', sending('POST', verify))
  await call('an archive of the journal of 10,000', '/_control/journal?format=har')
  await call('a reset', '/_control/reset', { method: 'POST' })
}

function ticketOf(i: number) {
  const createdAt = new Date(Date.UTC(2020, 0, 1) + ((i * 48_271) % 1_000_003) * 60_000).toISOString()
  const [srid, ticketNumber] = [String(5_000_000_000 + i), String(8_500_000_000 + i)]
  return newTicket({ srid, ticketNumber, createdAt, companyId: 'C100' })
}
