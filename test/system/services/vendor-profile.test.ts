import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, install, send } from './installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

const asErin = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const zip = '/stg/us/guest/zipCode?zipCode=07660'

async function openTwo(choices: Record<string, unknown>, further: object = {}) {
  const [a, b] = [(await installation.startInstance()).url, (await installation.startInstance()).url]
  await send('PUT', `${a}/_control/profile`, { profile: 'theirs', choices, ...further })
  return { a, b, clear: () => send('DELETE', `${b}/_control/profile`) }
}

test('a profile set on one instance applies to all instances until it is removed', async () => {
  const faults = [{ match: { operation: 38 }, respond: { status: 503 } }]
  const { a, b, clear } = await openTwo(
    { 'page-max': 7, 'unusable-values': 'reject' },
    { faults, variation: { kinds: ['json-extra'], seed: 's' } },
  )
  const list = '/stg/us/dealer/tickets?limit=50'
  for (const url of [a, b]) {
    expect((await send('GET', `${url}/_control/profile`)).body).toMatchObject({ profile: 'theirs' })
    expect((await send('GET', url + list, undefined, asErin)).status).toBe(400)
  }
  await clear()
  for (const url of [a, b]) expect((await send('GET', url + list, undefined, asErin)).status).toBe(200)
})

test('the limit of a fault in a profile counts hits on all instances', async () => {
  const faults = [{ match: { operation: 30 }, respond: { status: 503 }, times: 3 }]
  const { a, b, clear } = await openTwo({}, { faults })
  const statuses = await Promise.all(
    [a, b, a, b, a, b].map(async (url) => (await send('GET', url + zip, undefined, asErin)).status),
  )
  expect(statuses.toSorted()).toEqual([200, 200, 200, 503, 503, 503])
  for (const url of [a, b]) {
    expect((await send('GET', `${url}/_control/faults`)).body).toMatchObject({ items: [{ hits: 3 }] })
  }
  await clear()
})

test('the rate limit of a caller counts the requests to all instances', async () => {
  const { a, b, clear } = await openTwo({ 'rate-limit': { requests: 4, per: 'PT1H' } })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await send('GET', (i % 2 ? a : b) + zip, undefined, asErin)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  await clear()
})

test('a session expires on all instances and can be renewed on any of them', async () => {
  const { a, b, clear } = await openTwo({ 'session-lifetime': 'PT30M' })
  const statusAt = async (url: string) => (await send('GET', url + zip, undefined, asErin)).status
  expect(await statusAt(a)).toBe(200)
  await send('POST', `${b}/_control/clock/advance`, { duration: 'PT31M' })
  for (const url of [a, b]) expect(await statusAt(url)).toBe(401)
  await send('POST', `${b}/_control/sessions`, { identity: 'profile:dealer-erin' })
  for (const url of [a, b]) expect(await statusAt(url)).toBe(200)
  await clear()
})
