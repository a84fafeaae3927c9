import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pactStates } from '../../../../src/contract/records/control/pact-state.ts'
import { asWeb, buildTestApp } from '../../../helpers/build-test-app.ts'
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
const lookUp = '/stg/us/guest/zipCode?zipCode=07660'

test('no state and an empty one change nothing', async () => {
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

test('a field that no verifier sends is 400 and names the nearest', async () => {
  const { change } = build()
  const { status, body } = await change({ stat: 'the moon' })
  expect(status).toBe(400)
  expect(body.error.details[0].message).toContain('has no field stat; the nearest is state')
})

test('an unknown state is 400 and lists all that there are', async () => {
  const { status, body } = await build().change({ state: 'the default fixture', action: 'setup' })
  expect(status).toBe(400)
  for (const state of pactStates) expect(body.error.details[0].message).toContain(state)
})

test('an operation is unavailable in the words of its document, until the state is torn down', async () => {
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

test('the clock stands at an instant, and teardown puts it where it was; faults set by hand stay', async () => {
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

test('a purchase is cancelled once, with a token of its seller', async () => {
  const { change, store } = build()
  for (let i = 0; i < 2; i++) {
    const { status, body } = await change({ state: 'purchase purchase-active is cancelled' })
    expect([status, body]).toMatchObject([
      200,
      { purchaseID: 'purchase-active', serviceToken: expect.stringMatching(/^\w{96}$/) },
    ])
  }
  expect((await store.purchases.get('purchase-active'))!.cancellation).toMatchObject({ reason: '1' })
  expect((await change({ state: 'purchase nothing is cancelled' })).status).toBe(400)
})

test('a full slot has no place left at its hour, and its neighbours have theirs', async () => {
  const { change, get } = build()
  const list = async () =>
    (await get('/stg/us/dealer/schedule?zipCode=07660&ascCode=ASC001', asWeb('dealer-erin'))).json().schedules.at(-1)
  const { date, timeSlots } = await list()
  for (let i = 0; i < 2; i++) {
    expect(await change({ state: `the slot ${date} ${timeSlots[0].from} at ASC001 is full` })).toMatchObject({
      status: 200,
    })
  }
  const [first, second] = (await list()).timeSlots
  expect([first.remaining, second.remaining]).toEqual([0, timeSlots[1].remaining])
  expect((await change({ state: `the slot ${date} 03:33 at ASC001 is full` })).status).toBe(400)
  expect((await change({ state: `the slot ${date} 08:00 at ASC999 is full` })).status).toBe(400)
})

test.each(['E0001', 'E0002', 'E0003'])('a ticket in status %s is one of the customer, by its srid', async (status) => {
  const { change, get } = build()
  const { body } = await change({ state: `a ticket in status ${status} for 1000000001` })
  const ticket = await get(`/stg/us/dealer/tickets/${body.srid}`, asWeb('dealer-erin'))
  expect(ticket.json()).toMatchObject({ status, bpNo: '1000000001', ticketNumber: body.ticketNumber })
  expect((await change({ state: `a ticket in status ${status} for 42` })).status).toBe(400)
})

test('a profile that ships bends the world, and the default fixtures put it back with all else', async () => {
  const { change, get } = build()
  expect(await change({ state: 'profile strict' })).toEqual({ status: 200, body: {} })
  expect((await get('/_control/profile')).json()).toMatchObject({ profile: 'strict' })
  expect((await change({ state: 'profile strickt' })).body.error.details[0].message).toContain('strict')
  await change({ state: 'purchase purchase-active is cancelled' })
  const { status, body } = await change({ state: 'the default fixtures' })
  expect([status, body]).toMatchObject([200, { serviceToken: expect.stringMatching(/^\w{96}$/) }])
  expect((await get('/_control/profile')).statusCode).toBe(404)
  const purchase = (await get('/_control/records/purchases/purchase-active')).json()
  expect(purchase).not.toHaveProperty('cancellation')
})

test('a snapshot is read below the working folder alone, and no message tells what a file holds', async () => {
  const { change, get, store } = build()
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
  await change({ state: 'purchase purchase-active is cancelled' })
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

test('while a world is recorded states are steps, and a reset ends no wait', async () => {
  const { app, change, get } = build()
  await app.inject({ method: 'POST', url: '/_control/recordings', payload: {} })
  expect((await change({ state: 'a ticket in status E0001 for 1000000001' })).status).toBe(200)
  expect((await get('/_control/recordings/current')).payload).toContain('/_control/pact-states')
  expect((await change({ state: 'the default fixtures' })).status).toBe(200)
})
