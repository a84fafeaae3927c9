import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pactStates } from '../../../../src/contract/control/snapshots.ts'
import { buildTestApp } from '../../../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'

const headers = { 'request-source': 'vendor.com' }

function build() {
  const { app, ...rest } = buildTestApp()
  const change = async (body: object) => {
    const reply = await app.inject({ method: 'POST', url: '/_control/pact-states', payload: body })
    return { status: reply.statusCode, body: reply.json() }
  }
  const get = (url: string, more = {}) => app.inject({ url, headers: { ...headers, ...more } })
  return { app, change, get, ...rest }
}

function cancelPurchase(app: ReturnType<typeof buildTestApp>['app']) {
  const url = '/_control/purchases/purchase-active/cancel'
  return app.inject({ method: 'POST', url, payload: { reason: '1' } })
}

const lookUp = '/stg/us/guest/zipCode?zipCode=07660'

test('a provider state request without a state, or with an empty state, changes nothing', async () => {
  const { app, change } = build()
  for (const body of [
    {},
    { state: '' },
    { state: null, states: [] },
    { action: 'teardown', consumer: 'x', params: { any: [1] } },
  ]) {
    expect(await change(body)).toEqual({ status: 200, body: {} })
  }
  const bare = await app.inject({ method: 'POST', url: '/_control/pact-states' })
  expect([bare.statusCode, bare.json()]).toEqual([200, {}])
})

test('a provider state request with an unknown field returns 400 and suggests a field', async () => {
  const { change } = build()
  const { status, body } = await change({ stat: 'the moon' })
  expect(status).toBe(400)
  expect(body.error.details[0].message).toContain('has no field stat; the nearest is state')
})

test('an unknown provider state returns 400 with the list of provider states', async () => {
  const { status, body } = await build().change({ state: 'the default fixture', action: 'setup' })
  expect(status).toBe(400)
  for (const state of pactStates) expect(body.error.details[0].message).toContain(state)
})

test('the state "operation 30 is unavailable" makes the operation fail until it is torn down', async () => {
  const { change, get } = build()
  const state = 'operation 30 is unavailable'
  await change({ state: 'operation checkAvailability is unavailable' })
  expect((await change({ state })).status).toBe(200)
  expect((await get(lookUp)).statusCode).toBe(503)
  const wallet = await get('/wallet/cmn/v2.0/device/available?serviceType=WALLET&modelName=VM-S100', {
    partnerCode: 'partner-1001',
  })
  expect([wallet.statusCode, wallet.json().resultCode]).toEqual([500, 'CMN4N8003'])
  await change({ state, action: 'teardown' })
  expect((await get(lookUp)).statusCode).toBe(200)
  expect((await change({ state: 'operation nothing is unavailable' })).status).toBe(400)
})

test('tearing down states restores the clock and removes only the faults of the states', async () => {
  const { app, change, get } = build()
  const before = (await get('/_control/clock')).json()
  await app.inject({
    method: 'POST',
    url: '/_control/faults',
    payload: { match: { operation: 31 }, respond: { status: 500 } },
  })
  const states = [
    'the clock is at 2027-01-01T00:00:00Z',
    'the clock is at 2027-05-06T16:00:00Z',
    'operation 30 is unavailable',
  ]
  await change({ states })
  expect((await get('/_control/clock')).json()).toMatchObject({ now: '2027-05-06T16:00:00.000Z', frozen: true })
  for (const state of states) await change({ state, action: 'teardown' })
  expect((await get('/_control/clock')).json()).toMatchObject(before)
  expect((await get('/_control/faults')).json()).toMatchObject({ totalCount: 1, items: [{ match: { operation: 31 } }] })
  expect((await change({ state: 'the clock is at noon' })).status).toBe(400)
})

test('the state "the default fixtures" resets the world and returns a service token', async () => {
  const { app, change, get } = build()
  const put = await app.inject({ method: 'PUT', url: '/_control/profile', payload: { profile: 'mine', choices: {} } })
  expect(put.statusCode).toBe(200)
  await cancelPurchase(app)
  const { status, body } = await change({ state: 'the default fixtures' })
  expect([status, body]).toMatchObject([200, { serviceToken: expect.stringMatching(/^\w{96}$/) }])
  expect((await get('/_control/profile')).statusCode).toBe(404)
  const purchase = (await get('/_control/records/purchases/purchase-active')).json()
  expect(purchase).not.toHaveProperty('cancellation')
})

test('a provider state can only restore a snapshot from the working folder', async () => {
  const { app, change, get, store } = build()
  const folder = makeTemporaryFolder()
  const outside = makeTemporaryFolder()
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => void vi.restoreAllMocks())
  const text = (await get('/_control/snapshot')).payload
  mkdirSync(join(folder, 'states'))
  writeFileSync(join(folder, 'states/world.json'), text)
  writeFileSync(join(outside, 'world.json'), text)
  writeFileSync(join(folder, 'text.json'), 'a secret that is no JSON')
  symlinkSync(join(outside, 'world.json'), join(folder, 'link.json'))
  symlinkSync('/dev/zero', join(folder, 'zero.json'))
  await cancelPurchase(app)
  expect(await change({ state: 'snapshot states/world.json' })).toEqual({ status: 200, body: {} })
  expect((await store.purchases.get('purchase-active'))?.cancellation).toBeDefined()
  expect((await get('/_control/records/purchases/purchase-active')).json()).not.toHaveProperty('cancellation')
  const far = join('..', relative(join(folder, '..'), outside), 'world.json')
  for (const file of [
    far,
    join(outside, 'world.json'),
    'C:\\x',
    'states\\..\\..\\x',
    'link.json',
    'zero.json',
    'states',
    'text.json',
    'none',
  ]) {
    const { status, body } = await change({ state: `snapshot ${file}` })
    expect([file, status]).toEqual([file, 400])
    expect(JSON.stringify(body)).not.toMatch(/secret|vendor-cloud-test/)
  }
})

test('provider states can be set in a recorded world and appear in its recording', async () => {
  const { app, change, get } = build()
  await app.inject({ method: 'POST', url: '/_control/recordings', payload: {} })
  expect((await change({ state: 'operation 30 is unavailable' })).status).toBe(200)
  expect((await get('/_control/recordings/current')).payload).toContain('/_control/pact-states')
  expect((await change({ state: 'the default fixtures' })).status).toBe(200)
})
