import { setImmediate } from 'node:timers/promises'
import { expect } from 'vitest'
import { startCaseServer } from '../../../src/cli/cases/start-case-server.ts'
import { parseCase } from '../../../src/contract/files/case.ts'
import { playPoints } from '../../../src/tools/cases/player/case-points.ts'
import { call } from '../../system/acceptance/server.ts'

export const DEALER = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
export const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const HOME = '11111111-0000-4000-8000-000000000001'

/** Sends a request to the recorded world. Returns the response as JSON, or as text. */
export type Send = (method: string, path: string, body?: object | string, headers?: object) => Promise<unknown>

type Reply = Record<string, string>

const newCustomer = (n: number) => ({
  firstName: 'Pat',
  lastName: `Case ${n}`,
  email: `pat-${n}@example.com`,
  phoneNumber: '+12015550140',
  address1: `${n} Main Street`,
  city: 'Ridgefield Park',
  state: 'NJ',
  zipCode: '07660',
})

const newTicket = { bpNo: '1000000001', modelCode: 'VM-TV55', serialNumber: '0TV55XYZ12A', serviceType: 'IH' }
const symptoms = { symCode1: 'TV1', symCode2: 'TV11', symCode3: 'TV111', problemDescription: 'No picture' }

interface Day {
  date: string
  slots: { slotId: string; remaining: number }[]
}

async function findSlots(send: Send): Promise<{ appointmentDate: string; timeSlot: string }[]> {
  const path = '/stg/us/dealer/schedule?zipCode=07660&modelCode=VM-TV55&ascCode=ASC001'
  const { schedules } = (await send('GET', path, undefined, DEALER)) as { schedules: Day[] }
  return schedules.flatMap(({ date, slots }) =>
    slots.filter(({ remaining }) => remaining > 0).map(({ slotId }) => ({ appointmentDate: date, timeSlot: slotId })),
  )
}

const book = (send: Send, slot: object) =>
  send('POST', '/stg/us/dealer/customers/ticket', { ...newTicket, ...symptoms, ascCode: 'ASC001', ...slot }, DEALER)

async function subscribe(send: Send) {
  const grant = { user: 'alice-home', scopes: ['r:devices:*', 'r:locations:*'], locations: [HOME], expiresIn: 3600 }
  const { accessToken } = (await send('POST', '/_control/tokens', grant)) as Reply
  const bearer = { authorization: `Bearer ${accessToken}` }
  const filters = { name: 'case', subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT] }] }
  const { subscriptionId } = (await send('POST', '/subscriptions', filters, bearer)) as Reply
  return { subscriptionId, accessToken, bearer }
}

const soap = (send: Send, operation: string, content: string) => {
  const envelope = 'http://schemas.xmlsoap.org/soap/envelope/'
  const call = `<w:${operation} xmlns:w="http://ws.iap.vendor.com/">${content}</w:${operation}>`
  const body = `<s:Envelope xmlns:s="${envelope}"><s:Body>${call}</s:Body></s:Envelope>`
  return send('POST', '/iap/ws/RTCService', body, { 'content-type': 'text/xml; charset=utf-8' })
}

/**
 * Ten short scenarios that use the APIs of the three documents and the control API. Each request adds at least one
 * step.
 */
export const pastCases: Readonly<Record<string, (send: Send) => Promise<unknown>>> = {
  async 'a ticket is booked, moved and cancelled'(send) {
    const [first, second] = await findSlots(send)
    const { srid } = (await book(send, first!)) as Reply
    await book(send, first!)
    const moved = { srid, ...second!, rescheduleReasonCode: 'CUSTOMER_REQUEST' }
    await send('POST', '/stg/us/dealer/customers/ticket/reschedule', moved, DEALER)
    await send('DELETE', `/stg/us/dealer/customers/ticket/${srid}`, undefined, DEALER)
  },

  async 'customers are created, changed and looked up'(send) {
    const made = (await send('POST', '/stg/us/dealer/customers', newCustomer(1), DEALER)) as { body: Reply }
    const { bpNo } = made.body
    await send('POST', `/stg/us/dealer/customers/${bpNo}`, { firstName: 'Sam', address2: 'Floor 2' }, DEALER)
    await send('GET', '/stg/us/dealer/customers?lastName=Case%201', undefined, DEALER)
    await send('POST', '/stg/us/dealer/customers', { firstName: 'X' }, DEALER)
  },

  async 'devices send events, go offline and move'(send) {
    await send('POST', `/_control/devices/${LIGHT}/events`, { capability: 'switch', attribute: 'switch', value: 'on' })
    await send('POST', `/_control/devices/${LIGHT}/health`, { status: 'OFFLINE' })
    await send('POST', `/_control/devices/${LIGHT}/events`, { capability: 'switch', attribute: 'switch', value: 'off' })
  },

  async 'a scenario runs while the clock is advanced'(send) {
    const step = { afterMs: 60_000, deviceId: LIGHT, capability: 'switch', attribute: 'switch', value: 'on' }
    await send('POST', '/_control/scenarios', { steps: [step, { ...step, value: 'off' }], repeat: 2 })
    await send('POST', '/_control/clock/advance', { duration: 'PT1M' })
    await send('POST', '/_control/clock/advance', { duration: 'PT2M' })
    await send('GET', '/stg/us/guest/zipCode?zipCode=07660', undefined, { 'request-source': 'vendor.com' })
    await send('DELETE', '/_control/scenarios')
  },

  async 'tokens and subscriptions are created and deleted'(send) {
    const { subscriptionId, accessToken, bearer } = await subscribe(send)
    const filters = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
    await send('PUT', `/subscriptions/${subscriptionId}`, filters, bearer)
    await send('DELETE', `/subscriptions/${subscriptionId}`, undefined, bearer)
    await send('DELETE', `/_control/tokens/${accessToken}`)
  },

  async 'a purchase is created, read over several months and cancelled'(send) {
    const plan = { itemID: 'gold', period: 'P1M', price: 4.99, currency: 'USD', country: 'USA' }
    const made = await send('POST', '/_control/purchases', { sellerSecret: '123456789012', ...plan })
    const { purchaseID } = made as Reply
    const token = /<output>(\w+)</.exec(
      String(await soap(send, 'createServiceToken', '<secret>123456789012</secret>')),
    )?.[1]
    await send('POST', '/_control/clock/advance', { duration: 'P20D' })
    const asked = `<purchaseID>${purchaseID}</purchaseID><serviceToken>${token}</serviceToken>`
    await soap(send, 'getSubscriptionStatus', asked)
    await send('POST', `/_control/purchases/${purchaseID}/cancel`, { reason: '1' })
  },

  async 'faults apply until their limit is reached'(send) {
    const guest = { 'request-source': 'vendor.com' }
    await send('POST', '/_control/faults', { match: { operation: 30 }, respond: { status: 503 }, times: 2 })
    const ask = () => send('GET', '/stg/us/guest/zipCode?zipCode=07660', undefined, guest)
    for (let i = 0; i < 3; i++) await ask()
    await send('DELETE', '/_control/faults')
    const faults = [{ match: { operation: 30 }, respond: { status: 500 }, times: 2 }]
    await send('PUT', '/_control/profile', { profile: 'fails-twice', faults })
    for (let i = 0; i < 3; i++) await ask()
    await send('DELETE', '/_control/profile')
  },

  async 'records are put, replaced and deleted'(send) {
    await send('PUT', '/_control/records/companies/C900', { companyId: 'C900', companyName: 'A company' })
    await send('PUT', '/_control/records/deviceModels/VM-X1', { modelName: 'VM-X1', available: true, supportKR: false })
    await send('PUT', '/_control/records/deviceModels/VM-X1', { modelName: 'VM-X1', available: true, supportKR: true })
    await send('DELETE', '/_control/records/deviceModels/VM-X1')
  },

  async 'the clock is moved back and forth'(send) {
    await send('PUT', '/_control/clock', { now: '2027-01-31T10:00:00.000Z' })
    await send('POST', '/stg/us/dealer/customers', newCustomer(2), DEALER)
    await send('PUT', '/_control/clock', { now: '2026-12-31T10:00:00.000Z' })
    await send('POST', '/_control/clock/advance', { duration: 'P3D' })
  },

  async 'a profile is set and then removed'(send) {
    await send('PUT', '/_control/profile', { profile: 'theirs', choices: { 'ticket-progress': 'auto' } })
    const [slot] = await findSlots(send)
    const { srid } = (await book(send, slot!)) as Reply
    await send('POST', '/_control/clock/advance', { duration: 'P1D' })
    await send('GET', `/stg/us/dealer/tickets/${srid}`, undefined, DEALER)
    await send('DELETE', '/_control/profile')
  },
}

export interface PastMoment {
  step: number
  snapshot: string
}

/**
 * Plays a scenario in a new recorded world with this name. Returns the URL of the world and its state after each
 * request. If `numbers` is set, returns only the states after the requests with these numbers and after the last one.
 */
export async function playPast(
  server: string,
  name: string,
  play: (send: Send) => Promise<unknown>,
  numbers?: readonly number[],
): Promise<{ url: string; moments: PastMoment[] }> {
  const url = `${server}/w/${name}`
  await call(`${server}/_control/worlds`, 'POST', { name, now: '2026-03-02T15:00:00Z', frozen: true })
  await call(`${url}/_control/recordings`, 'POST', {})
  const moments: PastMoment[] = []
  let [calls, taken] = [0, 0]
  const take = async () => {
    taken = calls
    const step = (await read(url, '/_control/recordings/current')).split('\n').length - 2
    moments.push({ step, snapshot: await read(url, '/_control/snapshot') })
  }
  const send: Send = async (method, path, body, headers) => {
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {}
    const sent = typeof body === 'object' ? JSON.stringify(body) : body
    const reply = await fetch(url + path, { method, headers: { ...type, ...headers }, ...(sent && { body: sent }) })
    const text = await reply.text()
    // A request and its emails are recorded shortly after the response.
    await setImmediate()
    calls++
    if (!numbers || numbers.includes(calls)) await take()
    return text.startsWith('{') ? (JSON.parse(text) as unknown) : text
  }
  await play(send)
  if (taken < calls) await take()
  return { url, moments }
}

export async function expectPast(server: string, name: string, moments: readonly PastMoment[]): Promise<void> {
  for (const { step, snapshot } of moments) {
    const draft = { name: `${name}-${step}`, from: name, at: step }
    expect(await call(`${server}/_control/worlds`, 'POST', draft)).toMatchObject({ status: 200, json: { at: step } })
    const restored = await read(`${server}/w/${draft.name}`, '/_control/snapshot')
    expect(restored === snapshot, `step ${step}`).toBe(true)
    await call(`${server}/_control/worlds/${draft.name}`, 'DELETE')
  }
}

/** Replays the recording on another server and compares each state. Secrets are ignored. */
export async function expectPlayed(
  url: string,
  moments: readonly PastMoment[],
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = parseCase(await read(url, '/_control/recordings/current'))
  const server = await startCaseServer(file.header, settings)
  const steps = moments.map(({ step }) => step)
  for (const [i, { step, snapshot, first }] of (await playPoints(file, steps, server)).entries()) {
    expect(first, `step ${step}`).toBeUndefined()
    const isSame = withoutSecrets(snapshot) === withoutSecrets(moments[i]!.snapshot)
    expect(isSame, `step ${step}`).toBe(true)
  }
}

export async function read(url: string, path: string): Promise<string> {
  const reply = await fetch(url + path)
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return text
}

/** Removes the digests and the order of tokens, and the keys in emails, because a replay generates new ones. */
export function withoutSecrets(snapshot: string): string {
  const masked = snapshot.replace(/("tokenDigest":|"name":"secret","value":)"[^"]*"/g, '$1"*"')
  const lines = masked.split('\n')
  return lines
    .map((line) => line.replace(/,$/, ''))
    .sort()
    .join('\n')
}
