/**
 * How long the event loop stands still for one request, longest first: the first of each kind of a process, the largest
 * that are allowed, and those of a world of 100,000 tickets. In several processes; each request's figure is the median.
 * Limit 50 ms. Run: npm run build && npx tsx bench/standstill.ts
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newTicket } from '../test/helpers/records.ts'
import { print, quantile, report } from './side-by-side.ts'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = 3
const TICKETS = 100_000
const identity = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const bearer = { authorization: 'Bearer token-home' }
const json = { 'content-type': 'application/json' }

const seen = new Map<string, number[]>()

for (let round = 0; round < ROUNDS; round++) {
  const server = await start()
  try {
    await measureAll(server)
  } finally {
    server.child.kill()
  }
}
const longest = [...seen]
  .map(([name, times]) => ({ name, median: quantile(times, 0.5), most: Math.max(...times) }))
  .toSorted((a, b) => b.median - a.median)
for (const { name, median, most } of longest) print(`${median.toFixed(0)} ms (at most ${most.toFixed(0)}): ${name}`)
const [first] = longest
report('event loop held by one request, ms', `${first!.median.toFixed(0)} (${first!.name})`, 50)

async function measureAll(server: Server): Promise<void> {
  const call = (name: string, path: string, init?: RequestInit) => measure(server, name, path, init)
  const send = (method: string, body: unknown, headers = {}): RequestInit => ({
    method,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { ...json, ...headers },
  })
  await call('first GET with identity', '/stg/us/guest/zipCode?zipCode=07660', { headers: identity })
  await call('first list of tickets', '/stg/us/dealer/tickets?limit=20', { headers: identity })
  await call('first OpenAPI file, document 1', '/openapi/support.json')
  await call('first OpenAPI file, control API', '/openapi/control.json')
  const draft = { name: 'bench', version: 1, subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  await call('first subscription', '/subscriptions', send('POST', draft, bearer))
  await call('first SOAP call', '/iap/ws/RTCService', soapCall('<secret>123456789012</secret>'))
  const fresh = await call('first snapshot', '/_control/snapshot')
  const wrong = { ...draft, subscriptionFilters: Array.from({ length: 340_000 }, () => 0) }
  await call('a subscription with 340,000 wrong filters', '/subscriptions', send('POST', wrong, bearer))
  const filters = Array.from({ length: 5000 }, (_, i) => `unknown-${i}`)
  const unknown = { ...draft, subscriptionFilters: [{ type: 'DEVICEIDS', value: filters }] }
  await call('a subscription with 5,000 unknown devices', '/subscriptions', send('POST', unknown, bearer))
  await call(
    'a record with 340,000 wrong entries',
    '/_control/records/tickets/1',
    send('PUT', { images: wrong.subscriptionFilters }),
  )
  await call('a SOAP message of 64 KB', '/iap/ws/RTCService', soapCall('<secret/>'.repeat(7000)))

  const snapshot = JSON.parse(fresh) as { records: { tickets: unknown[] } }
  for (let i = 0; i < TICKETS; i++) snapshot.records.tickets.push(ticketOf(i))
  const large = JSON.stringify(snapshot)
  snapshot.records.tickets = []
  await call(`restoring a snapshot of ${(large.length / 1e6).toFixed(0)} MB`, '/_control/snapshot', send('PUT', large))
  await call(
    'first write to a world of 100,000',
    '/_control/records/tickets/5000100000',
    send('PUT', ticketOf(TICKETS)),
  )
  await call('first page of 100,000', '/stg/us/dealer/tickets?limit=20', { headers: identity })
  await call('a snapshot of 100,000', '/_control/snapshot')
  await call('a fork of 100,000', '/_control/worlds', send('POST', { name: 'fork', from: 'default' }))
  await call(
    'first write to the fork',
    '/w/fork/_control/records/tickets/5000100001',
    send('PUT', ticketOf(TICKETS + 1)),
  )
  await call('first write behind the fork', '/_control/records/tickets/5000100002', send('PUT', ticketOf(TICKETS + 2)))
  await call('first page of the fork', '/w/fork/stg/us/dealer/tickets?limit=20', { headers: identity })
  for (let i = 0; i < 10_000; i += 50) {
    const path = `${server.url}/stg/us/guest/zipCode?zipCode=07660`
    await Promise.all(
      Array.from({ length: 50 }, () => fetch(path, { headers: identity }).then((reply) => reply.text())),
    )
  }
  await call('the journal of 10,000, searched in vain', '/_control/journal?q=nowhere')
  const verify = { match: { path: '/nowhere' }, count: 0 }
  await call('verifying the journal of 10,000', '/_control/journal/verify', send('POST', verify))
  await call('a reset', '/_control/reset', { method: 'POST' })
}

function soapCall(inputs: string): RequestInit {
  const call = `<createServiceToken xmlns="http://ws.iap.vendor.com/">${inputs}</createServiceToken>`
  const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${call}</e:Body></e:Envelope>`
  return { method: 'POST', body, headers: { 'content-type': 'text/xml' } }
}

interface Server {
  child: ChildProcess
  url: string
}

async function start(): Promise<Server> {
  const execArgv = ['--import', join(import.meta.dirname, 'loop-delay.mjs')]
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'silent' }
  const child = fork(join(ROOT, 'dist/main.js'), { execArgv, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  let text = ''
  for await (const chunk of child.stdout!) {
    text += String(chunk)
    const [url] = /http:\/\/[\d.]+:\d+/.exec(text) ?? []
    if (url) return { child, url }
  }
  throw new Error('the server has not started')
}

/** The reply's text; how long the loop stood still is kept under the name. */
async function measure({ child, url }: Server, name: string, path: string, init?: RequestInit): Promise<string> {
  await longest()
  const reply = await fetch(url + path, init)
  const text = await reply.text()
  if (reply.status === 404 || reply.status > 500) throw new Error(`${name}: ${reply.status} ${text.slice(0, 200)}`)
  seen.set(name, [...(seen.get(name) ?? []), await longest()])
  return text

  async function longest(): Promise<number> {
    await wait(20)
    child.send('tell')
    const [{ milliseconds }] = (await once(child, 'message')) as [{ milliseconds: number }]
    return milliseconds
  }
}

function ticketOf(i: number) {
  const createdAt = new Date(Date.UTC(2020, 0, 1) + ((i * 48_271) % 1_000_003) * 60_000).toISOString()
  const [srid, ticketNumber] = [String(5_000_000_000 + i), String(8_500_000_000 + i)]
  return newTicket({ srid, ticketNumber, createdAt, companyId: 'C100' })
}
