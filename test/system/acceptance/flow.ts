import { get } from 'node:http'
import { call } from './server.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }

/** The result of a run. Values that depend on the date are left out. */
export interface Outcome {
  srid: string
  ticketNumber: string
  appointmentId: string
  subscriptionId: string
  registrationPath: string
  frame: { id: string; eventId: string; value: unknown }
  serviceToken: string
  latestOrderId: string
  journal: string[]
}

/**
 * Creates a ticket as a dealer, receives an event over a live stream, and reads a subscription's status over SOAP, all
 * in one world.
 */
export async function runFlow(url: string): Promise<Outcome> {
  const ticket = await bookTicket(url)
  const stream = await readEvent(url)
  const billing = await readSubscription(url)
  const { entries } = (await call(`${url}/_control/journal?limit=100`, 'GET')).json as unknown as { entries: Entry[] }
  // The server notices the end of the stream at any time.
  const sent = entries.filter(({ frame }) => frame?.event !== 'STREAM_END')
  const journal = sent.map(({ operation, kind }) => `${kind} ${operation}`)
  return { ...ticket, ...stream, ...billing, journal: journal.sort() }
}

interface Entry {
  kind: string
  operation: string | number
  frame?: { event: string }
}

interface Day {
  date: string
  slots: { slotId: string; remaining: number }[]
}

export async function findSlot(url: string): Promise<{ appointmentDate: string; timeSlot: string }> {
  const query = 'zipCode=07660&modelCode=VM-TV55&ascCode=ASC001'
  const { json } = await call(`${url}/stg/us/dealer/schedule?${query}`, 'GET', undefined, dealer)
  const days = json['schedules'] as Day[]
  const day = days.find(({ slots }) => slots.some(({ remaining }) => remaining > 0))
  const slot = day!.slots.find(({ remaining }) => remaining > 0)
  return { appointmentDate: day!.date, timeSlot: slot!.slotId }
}

export async function createTicket(
  url: string,
  slot: { appointmentDate: string; timeSlot: string },
  bpNo = '1000000001',
) {
  const symptoms = { symCode1: 'TV1', symCode2: 'TV11', symCode3: 'TV111', problemDescription: 'No picture' }
  // Only the first customer has registered the device. For other customers, it is not registered.
  const serialNumber = bpNo === '1000000001' ? '0TV55XYZ12A' : `0${bpNo}`
  const product = { bpNo, modelCode: 'VM-TV55', serialNumber, serviceType: 'IH' }
  const body = { ...product, ...symptoms, ascCode: 'ASC001', ...slot }
  return call(`${url}/stg/us/dealer/customers/ticket`, 'POST', body, dealer)
}

async function bookTicket(url: string) {
  const created = await createTicket(url, await findSlot(url))
  if (created.status !== 200) throw new Error(created.text)
  const srid = String(created.json['srid'])
  await call(`${url}/_control/tickets/${srid}/confirm`, 'POST')
  const { json } = await call(`${url}/stg/us/dealer/tickets/${srid}`, 'GET', undefined, dealer)
  const ticket = json as unknown as { ticketNumber: string; status: string; appointment: { appointmentId: string } }
  if (ticket.status !== 'E0002') throw new Error(`the ticket is ${ticket.status}`)
  return { srid, ticketNumber: ticket.ticketNumber, appointmentId: ticket.appointment.appointmentId }
}

async function readEvent(url: string) {
  const token = { authorization: 'Bearer token-home' }
  const body = { name: 'flow', subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT] }] }
  const { json } = await call(`${url}/subscriptions`, 'POST', body, token)
  const { subscriptionId, registrationUrl } = json as unknown as { subscriptionId: string; registrationUrl: string }
  const event = { capability: 'switch', attribute: 'switch', value: 'on' }
  const frame = await readFrame(registrationUrl, () => call(`${url}/_control/devices/${LIGHT}/events`, 'POST', event))
  const [, id = ''] = /^id: (.*)$/m.exec(frame) ?? []
  const [, data = '{}'] = /^data: (.*)$/m.exec(frame) ?? []
  const { deviceEvent } = JSON.parse(data) as { deviceEvent: { eventId: string; value: unknown } }
  const registrationPath = registrationUrl.slice(registrationUrl.indexOf('/filters'))
  return { subscriptionId, registrationPath, frame: { id, eventId: deviceEvent.eventId, value: deviceEvent.value } }
}

/** Opens the stream, runs `work` after the welcome event, and returns the frame of the first device event. */
function readFrame(url: string, work: () => Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const request = get(url, { agent: false }, (reply) => {
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        if (!text.includes('welcome') && (text + chunk).includes('welcome')) work().catch(reject)
        text += chunk
        const frame = text
          .split('\n\n')
          .find((block) => block.includes('event: DEVICE_EVENT') && block.includes('data: '))
        if (!frame || !text.endsWith('\n\n')) return
        request.destroy()
        resolve(frame)
      })
    })
    request.on('error', reject)
  })
}

export const envelope = (operation: string, inputs: string) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="http://ws.iap.vendor.com/"><e:Body>` +
  `<w:${operation}>${inputs}</w:${operation}></e:Body></e:Envelope>`

export async function soap(url: string, operation: string, inputs: string): Promise<string> {
  const body = envelope(operation, inputs)
  return (await call(`${url}/iap/ws/RTCService`, 'POST', body, { 'content-type': 'text/xml' })).text
}

export async function newServiceToken(url: string): Promise<string> {
  const text = await soap(url, 'createServiceToken', '<secret>123456789012</secret>')
  return /<output>(\w{96})<\/output>/.exec(text)?.[1] ?? ''
}

async function readSubscription(url: string) {
  const serviceToken = await newServiceToken(url)
  const inputs = `<purchaseID>purchase-active</purchaseID><serviceToken>${serviceToken}</serviceToken>`
  const [, latestOrderId = ''] = /<latestOrderId>(\w+)</.exec(await soap(url, 'getSubscriptionStatus', inputs)) ?? []
  return { serviceToken, latestOrderId }
}
