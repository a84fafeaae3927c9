import { createTicket, findSlot } from '../acceptance/flow.ts'
import { call } from '../acceptance/server.ts'
import { openFrames } from './open-frames.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }

/** Document 1: more callers at once than a window has places; the losers are told, the winners find their tickets. */
export async function bookingRace(url: string): Promise<void> {
  const slot = await findSlot(url)
  const tickets = await Promise.all(Array.from({ length: 8 }, () => createTicket(url, slot)))
  for (const { status, json } of tickets) {
    if (status === 200) await call(`${url}/stg/us/dealer/tickets/${String(json['srid'])}`, 'GET', undefined, dealer)
  }
  await findSlot(url)
}

/** Document 2: a stream is cut, events happen meanwhile, and the client resumes where it was. */
export async function streamResumed(url: string): Promise<void> {
  const scopes = ['r:devices:*', 'r:locations:*']
  const locations = ['11111111-0000-4000-8000-000000000001']
  const token = { user: 'alice-home', scopes, locations, expiresIn: 3600 }
  const issued = await call(`${url}/_control/tokens`, 'POST', token)
  const bearer = { authorization: `Bearer ${String(issued.json['accessToken'])}` }
  const body = { name: 'case', subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT] }] }
  const { json } = await call(`${url}/subscriptions`, 'POST', body, bearer)
  const address = String(json['registrationUrl'])
  const emit = (value: string) =>
    call(`${url}/_control/devices/${LIGHT}/events`, 'POST', { capability: 'switch', attribute: 'switch', value })
  const first = await openFrames(address)
  await emit('on')
  const { id } = (await first.take(2)).at(-1)!
  await first.cut()
  await emit('off')
  await emit('on')
  const second = await openFrames(address, { 'last-event-id': id! })
  await second.take(3)
  await call(`${url}/subscriptions/${String(json['subscriptionId'])}`, 'DELETE', undefined, bearer)
  await second.take(1)
}

/** Document 3: a subscription bought on the last day of January, over the ends of shorter months. */
export async function monthEnd(url: string): Promise<void> {
  await call(`${url}/_control/clock`, 'PUT', { now: '2027-01-31T10:00:00Z', frozen: true })
  const purchase = {
    sellerSecret: '123456789012',
    itemID: 'gold',
    period: 'P1M',
    price: 4.99,
    currency: 'USD',
    country: 'USA',
  }
  const { json } = await call(`${url}/_control/purchases`, 'POST', purchase)
  for (let month = 0; month < 3; month++) {
    // One lasts 30 days.
    const token = /<output>(\w+)</.exec(await soap(url, 'createServiceToken', '<secret>123456789012</secret>'))?.[1]
    await soap(
      url,
      'getSubscriptionStatus',
      `<purchaseID>${String(json['purchaseID'])}</purchaseID><serviceToken>${token}</serviceToken>`,
    )
    await call(`${url}/_control/clock/advance`, 'POST', { duration: 'P28D' })
  }
}

async function soap(url: string, operation: string, content: string): Promise<string> {
  const envelope = 'http://schemas.xmlsoap.org/soap/envelope/'
  const body = `<w:${operation} xmlns:w="http://ws.iap.vendor.com/">${content}</w:${operation}>`
  const reply = await fetch(`${url}/iap/ws/RTCService`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<s:Envelope xmlns:s="${envelope}"><s:Body>${body}</s:Body></s:Envelope>`,
  })
  return reply.text()
}

export const scenarios = {
  'booking-race': bookingRace,
  'stream-resumed': streamResumed,
  'month-end': monthEnd,
} as const

/** Records a scenario in a world of its own; gives the case. */
export async function recordCase(url: string, run: (world: string) => Promise<unknown>, plan: object): Promise<string> {
  const { name } = plan as { name: string }
  const made = await call(`${url}/_control/worlds`, 'POST', plan)
  if (made.status !== 200) throw new Error(made.text)
  const world = `${url}/w/${name}`
  await call(`${world}/_control/recordings`, 'POST', { name })
  await run(world)
  return (await fetch(`${world}/_control/recordings/current`)).text()
}
