import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { LIGHT, THERMOSTAT } from '../../helpers/documents/events.ts'

const DEVICE = `/_control/devices/${LIGHT}`
const change = { capability: 'switch', attribute: 'switch', value: 'on' }
const step = { afterMs: 1, deviceId: LIGHT, ...change }
const order = { sellerSecret: '123456789012', itemID: 'i', period: 'P1M', price: 1, currency: 'USD', country: 'USA' }

type Payload = Record<string, unknown>

async function refuse(url: string, payload?: Payload) {
  const { app } = buildTestApp()
  const reply = await app.inject({ method: payload ? 'POST' : 'GET', url, ...(payload && { payload }) })
  expect(reply.statusCode).toBe(400)
  const { details } = reply.json<{ error: { details: { target: string; message: string }[] } }>().error
  return details.map(({ target, message }) => ({ target, message }))
}

test.each<[string, Payload, string, string]>([
  ['/_control/worlds', { name: 'a', sed: 'x' }, 'body', 'seed'],
  ['/_control/worlds', { name: 'a', expires: 1 }, 'body', 'expiresIn'],
  ['/_control/faults', { match: { operation: 30 }, respond: { status: 503 }, time: 1 }, 'body', 'times'],
  ['/_control/faults', { match: { operaton: 30 }, respond: { status: 503 } }, 'body.match', 'operation'],
  ['/_control/scenarios', { steps: [step], repaet: 2 }, 'body', 'repeat'],
  ['/_control/scenarios', { steps: [{ ...step, after: 1 }] }, 'body.steps[0]', 'afterMs'],
  [`${DEVICE}/events`, { ...change, atribute: 'x' }, 'body', 'attribute'],
  [`${DEVICE}/health`, { status: 'ONLINE', reson: 'x' }, 'body', 'reason'],
  ['/_control/clock/advance', { duration: 1, durations: 2 }, 'body', 'duration'],
  ['/_control/tokens', { user: 'a', scopes: [], locations: [], expiresIn: 1, scope: [] }, 'body', 'scopes'],
  ['/_control/purchases', { ...order, taxrate: 1 }, 'body', 'taxRate'],
  ['/_control/recordings', { nam: 'x' }, 'body', 'name'],
])('POST %s with %j returns 400 with an error at %s that suggests %s', async (url, payload, target, nearest) => {
  const findings = await refuse(url, payload)
  expect(findings).toContainEqual({ target, message: expect.stringContaining(`; the nearest is ${nearest}`) })
})

test.each([
  ['/_control/records/tickets?limits=3', 'limit'],
  ['/_control/outbox?offsett=1', 'offset'],
  ['/_control/scenarios?ofset=1', 'offset'],
])('GET %s returns 400 and suggests the parameter %s', async (url, nearest) => {
  expect(await refuse(url)).toMatchObject([{ message: expect.stringContaining(`; the nearest is ${nearest}`) }])
})

test.each([`${DEVICE}/events?world=x`, '/_control/scenarios?world=x', '/_control/status?x=1', '/_control/clock?x=1'])(
  'the unknown query parameter in %s returns 400, because the operation has no parameters',
  async (url) => {
    const body = url.includes('events') ? change : url.includes('scenarios') ? { steps: [step] } : undefined
    expect(await refuse(url, body)).toMatchObject([{ message: expect.stringMatching(/^query has no parameter \w+/) }])
  },
)

test.each<[Payload, string, string]>([
  [{ ...change, capability: 'swich' }, 'body.capability', 'is not a known capability; the nearest is switch '],
  [{ ...change, attribute: 'swtch' }, 'body.attribute', 'is not an attribute of switch; the nearest is switch '],
  [{ ...change, value: 'onn' }, 'body.value', 'must be one of on, off; the nearest is on '],
  [{ ...change, value: 'of' }, 'body.value', 'must be one of on, off '],
  [{ capability: 'switchLevel', attribute: 'level', value: 101 }, 'body.value', 'must be at most 100 '],
  [{ capability: 'battery', attribute: 'battery', value: 'full' }, 'body.value', 'must be a number '],
  [{ ...change, capability: 'toString' }, 'body.capability', 'is not a known capability'],
])('the device event %j returns 400 with an error at %s unless force is true', async (event, target, message) => {
  expect(await refuse(`${DEVICE}/events`, event)).toEqual([{ target, message: expect.stringContaining(message) }])
  const step = { afterMs: 1, deviceId: LIGHT, ...event }
  expect(await refuse('/_control/scenarios', { steps: [step] })).toMatchObject([
    { target: target.replace('body', 'body.steps[0]') },
  ])
  const { app } = buildTestApp()
  const forced = await app.inject({ method: 'POST', url: `${DEVICE}/events`, payload: { ...event, force: true } })
  expect([forced.statusCode, forced.json()]).toEqual([200, expect.objectContaining(event)])
  const played = { steps: [{ ...step, force: true }] }
  expect((await app.inject({ method: 'POST', url: '/_control/scenarios', payload: played })).statusCode).toBe(200)
})

test('an event with a value from the device itself or the fixtures is accepted', async () => {
  const { app, store } = buildTestApp()
  const device = (await store.devices.get(THERMOSTAT))!
  const own = { main: { ...device.components['main'], ownCapability: { ownAttribute: { value: 1 } } } }
  await store.transaction((tx) => tx.devices.put({ ...device, components: own }))
  const devices = await store.devices.find()
  expect(devices.length).toBeGreaterThan(10)
  for (const { deviceId, components } of devices) {
    for (const [capability, attributes] of Object.entries(components['main']!)) {
      for (const [attribute, { value }] of Object.entries(attributes)) {
        const payload = { capability, attribute, value }
        const reply = await app.inject({ method: 'POST', url: `/_control/devices/${deviceId}/events`, payload })
        expect([payload, reply.statusCode]).toEqual([payload, 200])
      }
    }
  }
})

test('creating a token that expires after the last supported date returns 400', async () => {
  const token = { user: 'a', scopes: [], locations: [], expiresIn: Number.MAX_SAFE_INTEGER }
  expect(await refuse('/_control/tokens', token)).toMatchObject([{ target: 'body.expiresIn' }])
})

test('creating a purchase with a purchaseID in use returns 409', async () => {
  const { app } = buildTestApp()
  const payload = { ...order, purchaseID: 'purchase-active' }
  expect((await app.inject({ method: 'POST', url: '/_control/purchases', payload })).statusCode).toBe(409)
})
