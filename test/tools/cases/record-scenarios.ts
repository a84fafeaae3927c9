import { createTicket } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { openFrames } from './open-frames.ts'

export const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }

interface Day {
  date: string
  slots: { slotId: string; remaining: number }[]
}

export async function findScarceSlot(url: string) {
  const query = 'zipCode=07660&modelCode=VM-TV55&ascCode=ASC001'
  const { json } = await call(`${url}/stg/us/dealer/schedule?${query}`, 'GET', undefined, dealer)
  const slots = (json['schedules'] as Day[]).flatMap(({ date, slots }) =>
    slots.map(({ slotId, remaining }) => ({ remaining, slot: { appointmentDate: date, timeSlot: slotId } })),
  )
  return slots.filter(({ remaining }) => remaining > 0).sort((a, b) => a.remaining - b.remaining)[0]!
}

export async function leaveTwoPlaces(url: string): Promise<void> {
  const { slot, remaining } = await findScarceSlot(url)
  const { json } = await call(`${url}/_control/records/bookings?limit=1`, 'GET')
  const { items } = json as { items: object[] }
  for (let i = 0; i < remaining - 2; i++) {
    const appointmentId = `A-${String(i).padStart(16, '0')}`
    const own = { appointmentId, srid: String(9_100_000_000 + i), holder: `bp:${9_200_000_000 + i}`, ascCode: 'ASC001' }
    const time = { slotId: slot.timeSlot, date: slot.appointmentDate }
    await call(`${url}/_control/records/bookings/${appointmentId}`, 'PUT', { ...items[0], ...own, ...time })
  }
}

/** Creates new customers, who have no appointments, because a customer may have only one appointment at a time. */
export async function createCustomers(url: string, count: number): Promise<string[]> {
  const bpNos: string[] = []
  for (let i = 0; i < count; i++) {
    const person = { firstName: 'Pat', lastName: `Case ${i}`, email: `pat-${i}@example.com` }
    const place = { address1: `${i + 1} Main Street`, city: 'Ridgefield Park', state: 'NJ', zipCode: '07660' }
    const body = { ...person, phoneNumber: `+1201555014${i}`, ...place }
    const { json, text } = await call(`${url}/stg/us/dealer/customers`, 'POST', body, dealer)
    const bpNo = /"bpNo":"(\d{10})"/.exec(text)?.[1]
    if (bpNo === undefined) throw new Error(JSON.stringify(json))
    bpNos.push(bpNo)
  }
  return bpNos
}

/**
 * Document 1: more customers than there are places book the same time slot in parallel. Some get an error. The others
 * find their tickets.
 */
export async function bookingRace(url: string): Promise<void> {
  const { slot, remaining } = await findScarceSlot(url)
  const customers = await createCustomers(url, remaining + 3)
  const tickets = await Promise.all(customers.map((bpNo) => createTicket(url, slot, bpNo)))
  const won = tickets.filter(({ status }) => status === 200)
  const lost = tickets.filter(({ text }) => text.includes('SlotUnavailable') && text.includes('fully booked'))
  if (won.length !== remaining || lost.length !== 3) throw new Error(tickets.map(({ text }) => text).join('\n'))
  for (const { json } of won) {
    await call(`${url}/stg/us/dealer/tickets/${String(json['srid'])}`, 'GET', undefined, dealer)
  }
  await findScarceSlot(url)
}

/**
 * Document 2: a stream is cut off, and events occur in the meantime. The client then resumes after the last event that
 * it received.
 */
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

/** Document 3: a subscription is bought on the last day of January and then renews in shorter months. */
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
    // A token is valid for 30 days.
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

export async function recordCase(url: string, run: (world: string) => Promise<unknown>, plan: object): Promise<string> {
  const { name } = plan as { name: string }
  const made = await call(`${url}/_control/worlds`, 'POST', plan)
  if (made.status !== 200) throw new Error(made.text)
  const world = `${url}/w/${name}`
  await leaveTwoPlaces(world)
  await call(`${world}/_control/recordings`, 'POST', { name })
  await run(world)
  return (await fetch(`${world}/_control/recordings/current`)).text()
}
