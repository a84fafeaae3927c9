import { expect, onTestFinished, test } from 'vitest'
import { createTicket, findSlot, newServiceToken, soap } from './flow.ts'
import { call, useServer } from './server.ts'
import { readParts, writeParts } from '../../helpers/documents/snapshots.ts'

const server = useServer()
let made = 0

async function newWorld(options: object = {}): Promise<string> {
  const name = `control-${process.pid}-${++made}`
  await call(`${server.url}/_control/worlds`, 'POST', { name, ...options })
  onTestFinished(async () => void (await call(`${server.url}/_control/worlds/${name}`, 'DELETE')))
  return `${server.url}/w/${name}`
}

/** The client under test. After a 503, it retries once. It returns the city that it found. */
async function lookUpCity(url: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    const headers = { 'request-source': 'vendor.com' }
    const { status, json } = await call(`${url}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, headers)
    if (status !== 503 || tries > 0) return String(json['city'])
  }
}

test('a client retries after an injected 503, and its service token expires after 31 days', async () => {
  const url = await newWorld()
  await call(`${url}/_control/clock`, 'PUT', { frozen: true })
  await call(`${url}/_control/faults`, 'POST', { match: { operation: 30 }, respond: { status: 503 }, times: 1 })
  expect(await lookUpCity(url)).toBe('Ridgefield Park')
  const verified = await call(`${url}/_control/journal/verify`, 'POST', { match: { operation: 30 }, count: 2 })
  expect(verified.json).toMatchObject({ matched: true, entries: [{ status: 200 }, { status: 503 }] })

  const token = await newServiceToken(url)
  await call(`${url}/_control/clock/advance`, 'POST', { duration: 'P31D' })
  const inputs = `<purchaseID>purchase-active</purchaseID><serviceToken>${token}</serviceToken>`
  expect(await soap(url, 'getSubscriptionStatus', inputs)).toContain('<errorCode>301</errorCode>')
})

test('a snapshot restored into another world is byte-identical when that world saves it again', async () => {
  const first = await newWorld({ seed: 'one', now: '2026-05-06T16:00:00Z' })
  await call(`${first}/_control/clock`, 'PUT', { frozen: true })
  expect((await createTicket(first, await findSlot(first))).status).toBe(200)
  const { text } = await call(`${first}/_control/snapshot`, 'GET')
  const second = await newWorld({ seed: 'two' })
  expect((await call(`${second}/_control/snapshot`, 'PUT', text)).status).toBe(204)
  expect((await call(`${second}/_control/snapshot`, 'GET')).text).toBe(text)

  const newer = await call(
    `${second}/_control/snapshot`,
    'PUT',
    writeParts({ ...readParts(text), schemaVersion: 1000 }),
  )
  expect([newer.status, newer.text]).toEqual([400, expect.stringContaining('is 1000, but this server reads')])
})

test('the journal shows which rule rejected a booking and the source of that rule', async () => {
  const url = await newWorld()
  const slot = await findSlot(url)
  const refused = await createTicket(url, { ...slot, timeSlot: 'ASC001-IH-20010101-AM' })
  expect(refused.status).toBe(400)
  const match = { operation: 8, status: 400, code: 'SlotUnavailable' }
  const { json } = await call(`${url}/_control/journal/verify`, 'POST', { match, count: 1 })
  const [entry] = json['entries'] as { why: { code: string; message: string; source: string } }[]
  expect(entry!.why).toMatchObject({
    code: 'SlotUnavailable',
    source: expect.stringMatching(/^(document 1, |our choice)/),
  })
})

test('the metrics endpoint counts requests and reports the memory of the process', async () => {
  await lookUpCity(server.url)
  const { status, text } = await call(`${server.url}/metrics`, 'GET')
  expect([status, text]).toEqual([
    200,
    expect.stringMatching(/vendor_cloud_requests_total\{operation="30",status="200"\} \d/),
  ])
  expect(text).toContain('process_resident_memory_bytes')
})
