import { expect, test } from 'vitest'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { openWithChoices } from '../../helpers/open-with-choices.ts'
import { asWeb } from '../../helpers/build-test-app.ts'

const alice = asWeb('web-alice')
const erin = asWeb('dealer-erin')
const guest = { 'request-source': 'vendor.com' }

test.each([
  ['refused', 400],
  ['accepted', 200],
])('with zip-plus-four set to %s, operation 30 returns %i for a 5+4 zip code', async (value, status) => {
  const { get } = await openWithChoices({ 'zip-plus-four': value })
  expect((await get('guest/zipCode?zipCode=07660-1234')).statusCode).toBe(status)
  expect((await get('guest/zipCode?zipCode=07660-12')).statusCode).toBe(400)
})

test.each([
  ['optional', 200],
  ['required', 401],
])('with guest-identity set to %s, a guest request without an identity returns %i', async (value, status) => {
  const { get } = await openWithChoices({ 'guest-identity': value })
  expect((await get('guest/zipCode?zipCode=07660', guest)).statusCode).toBe(status)
  expect((await get('guest/zipCode?zipCode=07660')).statusCode).toBe(200)
  expect((await get('instore/noauth/nearest?zipCode=07660', guest)).statusCode).toBe(200)
})

test.each([404, 204])(
  'with cancel-nothing set to %i, operation 31 returns that status for an unknown srid',
  async (value) => {
    const { app } = await openWithChoices({ 'cancel-nothing': value })
    const url = '/stg/us/instore/cancel?srid=9999999999'
    expect((await app.inject({ method: 'DELETE', url, headers: alice })).statusCode).toBe(value)
  },
)

test.each([
  ['state', 200, 400, 400],
  ['city', 400, 400, 400],
  ['off', 200, 200, 200],
])('address-check %s returns %i for wrong cities, %i for states and %i for zip codes', async (value, ...statuses) => {
  const { app } = await openWithChoices({ 'address-check': value })
  const person = {
    firstName: 'A',
    lastName: 'B',
    email: 'a@example.com',
    phoneNumber: '201-555-0143',
    address1: 'x',
    city: 'Ridgefield Park',
  }
  const place = { state: 'NJ', zipCode: '07660' }
  const create = async (more: object) => {
    const payload = { ...person, ...place, ...more }
    const url = '/stg/us/dealer/customers'
    return (await app.inject({ method: 'POST', url, headers: erin, payload })).statusCode
  }
  expect(await create({})).toBe(200)
  expect([await create({ city: 'Z' }), await create({ state: 'NY' }), await create({ zipCode: '00000' })]).toEqual(
    statuses,
  )
})

test('page-size sets the default page length, and page-max limits the length of pages', async () => {
  const { get } = await openWithChoices({ 'page-size': 3, 'page-max': 5 })
  const count = async (url: string) => (await get(url, erin)).json().items?.length ?? 'refused'
  expect(await count('dealer/tickets')).toBe(3)
  expect(await count('dealer/tickets?limit=5')).toBe(5)
  expect(await count('dealer/tickets?limit=6')).toBe(5)
  const { get: strict } = await openWithChoices({ 'page-max': 5, 'unusable-values': 'reject' })
  expect(citedRules(await strict('dealer/tickets?limit=6', erin))).toEqual(['our choice: page-max'])
  expect((await strict('dealer/stores?pagination=true&size=6', erin)).statusCode).toBe(400)
  const { get: plain } = await openWithChoices({ 'page-max': 1 })
  expect((await plain('dealer/stores', erin)).json()).toMatchObject({ size: 1, hasMore: true })
  expect((await plain('dealer/tickets', erin)).json().items).toHaveLength(1)
  const { get: wide } = await openWithChoices({ 'page-max': 1000 })
  expect((await wide('dealer/tickets?limit=150', erin)).json().items).toHaveLength(150)
})

test.each([200, 201])('created-status %i applies only to operations that declare both 200 and 201', async (value) => {
  const { app, get } = await openWithChoices({ 'created-status': value })
  const payload = { rating: 5, comment: 'fine' }
  const send = (body: object) =>
    app.inject({ method: 'POST', url: '/stg/us/guest/customerFeedback', headers: alice, payload: body })
  const reply = await send(payload)
  expect([reply.statusCode, reply.json()]).toEqual([value, expect.objectContaining({ received: true })])
  expect((await send({ rating: 9 })).statusCode).toBe(400)
  expect((await get('guest/zipCode?zipCode=07660')).statusCode).toBe(200)
})
