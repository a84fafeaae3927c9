import { expect, test } from 'vitest'
import { bend } from '../../../helpers/bent-world.ts'
import { asErin, asWeb } from '../../../helpers/build-test-app.ts'

const person = {
  firstName: 'Zoe',
  lastName: 'Lagging',
  email: 'zoe@example.com',
  phoneNumber: '201-555-0143',
  address1: 'x',
  city: 'Ridgefield Park',
  state: 'NJ',
  zipCode: '07660',
}
const COLLEAGUE = 'dealer-eve'

/** Two dealers of one company. */
async function lag(duration: string) {
  const { app, store, ...world } = await bend({ 'replication-lag': duration })
  const userId = `profile:${COLLEAGUE}`
  const profile = { userId, firstName: 'Eve', lastName: 'B', email: 'eve@example.com', companyId: 'C100' }
  await store.transaction((tx) => tx.profiles.put(profile))
  const call = async (
    headers: Record<string, string>,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    payload?: object,
  ) => {
    const reply = await app.inject({ method, url: `/stg/us/${url}`, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
  }
  const [erin, eve] = [asErin(), asWeb(COLLEAGUE)]
  const find = async (headers: Record<string, string>, by = 'lastName=Lagging') => {
    const { status, body } = await call(headers, 'GET', `dealer/customers?${by}`)
    return status === 200 ? body.phoneNumber : status
  }
  return { ...world, app, store, call, find, erin, eve }
}

test('replication-lag PT5S: who writes sees it at once, a colleague five seconds later', async () => {
  const { call, find, erin, eve, clockControl } = await lag('PT5S')
  const created = await call(erin, 'POST', 'dealer/customers', person)
  expect([created.status, await find(erin), await find(eve)]).toEqual([200, '+12015550143', 404])
  await clockControl.advance(4999)
  expect([await find(erin), await find(eve)]).toEqual(['+12015550143', 404])
  await clockControl.advance(1)
  expect(await find(eve)).toBe('+12015550143')
})

test('of a change others see the state before, each of two writers its own, and lists by what they see', async () => {
  const { call, find, erin, eve, clockControl } = await lag('PT5S')
  const { body } = await call(erin, 'POST', 'dealer/customers', person)
  const { bpNo } = body.body ?? body
  await clockControl.advance(5000)
  const change = (headers: Record<string, string>, phoneNumber: string) =>
    call(headers, 'POST', `dealer/customers/${bpNo}`, { ...person, phoneNumber })
  expect((await change(erin, '201-555-0144')).status).toBe(200)
  expect([await find(erin), await find(eve)]).toEqual(['+12015550144', '+12015550143'])
  expect(await find(eve, 'phoneNumber=201-555-0144')).toBe(404)
  expect(await find(eve, 'phoneNumber=201-555-0143')).toBe('+12015550143')
  await clockControl.advance(2000)
  expect((await change(eve, '201-555-0145')).status).toBe(200)
  expect([await find(erin), await find(eve)]).toEqual(['+12015550144', '+12015550145'])
  await clockControl.advance(5000)
  expect([await find(erin), await find(eve)]).toEqual(['+12015550145', '+12015550145'])
})

test('the control API and the rules of booking see all at once', async () => {
  const { app, call, erin, eve } = await lag('PT1H')
  const { body } = await call(erin, 'POST', 'dealer/customers', person)
  const { bpNo } = body.body ?? body
  expect((await app.inject(`/_control/records/customers/${bpNo}`)).statusCode).toBe(200)
  const product = { modelCode: 'VM-TV55', serialNumber: '0TV55XYZ99A', serviceType: 'IH' }
  const register = (headers: Record<string, string>) =>
    call(headers, 'POST', `dealer/customers/${bpNo}/products`, product)
  expect((await register(erin)).status).toBe(200)
  expect((await call(eve, 'GET', `dealer/customers/${bpNo}/products`)).body?.totalCount ?? 0).toBe(0)
  expect((await call(erin, 'GET', `dealer/customers/${bpNo}/products`)).body.totalCount).toBe(1)
})

test('forks and snapshots are as late as their world, and without a lag nothing is kept of writes', async () => {
  const { app, call, find, erin, eve, store } = await lag('PT5S')
  await call(erin, 'POST', 'dealer/customers', person)
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'fork', from: 'default' } })
  const headers = { ...eve, 'x-world': 'fork' }
  expect([await find(headers), await find({ ...erin, 'x-world': 'fork' })]).toEqual([404, '+12015550143'])
  await app.inject({ method: 'POST', url: '/w/fork/_control/clock/advance', payload: { duration: 'PT5S' } })
  expect(await find(headers)).toBe('+12015550143')
  const payload = { profile: 'x', choices: {} }
  await app.inject({ method: 'PUT', url: '/_control/profile', payload })
  const kept = await store.lateWrites.count()
  await call(erin, 'POST', 'dealer/customers', { ...person, lastName: 'Prompt' })
  expect(await find(eve, 'lastName=Prompt')).toBe('+12015550143')
  expect(await store.lateWrites.count()).toBe(kept)
})
