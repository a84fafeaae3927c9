import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { ALL, LIGHT, startEvents, THERMOSTAT } from '../../helpers/documents/events.ts'

type App = ReturnType<typeof buildTestApp>['app']
const start = (app: App, payload: object) => app.inject({ method: 'POST', url: '/_control/scenarios', payload })
const playing = async (app: App) => (await app.inject('/_control/scenarios')).json()
const step = (afterMs: number, value: unknown) => ({
  afterMs,
  deviceId: LIGHT,
  capability: 'switch',
  attribute: 'switch',
  value,
})

test('scenario steps run by the world clock before the request that advances it returns', async () => {
  const { app, stream, clockControl, clock } = await startEvents()
  const { reader } = await stream(ALL)
  const from = clock.now()
  const offline = { afterMs: 500, deviceId: THERMOSTAT, status: 'OFFLINE' }
  const reply = await start(app, { steps: [step(1000, 'on'), offline, step(60_000, null)] })
  expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ plays: 0, nextStep: 0, repeat: 1 })])
  await clockControl.advance(1400)
  expect((await playing(app)).items).toMatchObject([{ nextStep: 1 }])
  expect(await reader.next()).toMatchObject({ data: { eventTime: from + 1000, deviceEvent: { value: 'on' } } })
  await clockControl.advance(24 * 60 * 60 * 1000)
  expect(await reader.next()).toMatchObject({ data: { eventTime: from + 61_500, deviceEvent: { value: null } } })
  expect(await playing(app)).toEqual({ items: [], totalCount: 0 })
})

test('a scenario repeats the given number of times without drift', async () => {
  const { app, clockControl, store, clock } = buildTestApp()
  const from = clock.now()
  await start(app, { steps: [step(700, 'on'), step(300, 'off')], repeat: 3 })
  const states: unknown[] = []
  for (let i = 0; i < 8; i++) {
    await clockControl.advance(500)
    states.push((await store.devices.get(LIGHT))?.components['main']?.['switch']?.['switch'])
  }
  expect(states.at(-1)).toMatchObject({ value: 'off', updatedAt: new Date(from + 3000).toISOString() })
  expect((await playing(app)).totalCount).toBe(0)
})

test('a scenario with repeat: true runs until it is deleted', async () => {
  const { app, clockControl } = buildTestApp()
  const { scenarioId } = (await start(app, { steps: [step(1000, 'on')], repeat: true })).json()
  await clockControl.advance(3_600_000)
  expect((await playing(app)).items).toMatchObject([{ scenarioId, plays: 3600 }])
  const remove = () => app.inject({ method: 'DELETE', url: `/_control/scenarios/${scenarioId}` })
  expect((await remove()).statusCode).toBe(204)
  expect((await remove()).statusCode).toBe(404)
  await start(app, { steps: [step(1000, 'on')], repeat: true })
  expect((await app.inject({ method: 'DELETE', url: '/_control/scenarios' })).statusCode).toBe(204)
  expect((await playing(app)).totalCount).toBe(0)
})

test('a world that was restored from a snapshot continues its scenarios', async () => {
  const first = buildTestApp()
  await start(first.app, { steps: [step(1000, 'on')], repeat: true })
  await first.clockControl.advance(5000)
  const { payload } = await first.app.inject('/_control/snapshot')
  const second = buildTestApp()
  await second.app.inject({ method: 'PUT', url: '/_control/snapshot', payload })
  await second.worlds.find('default')!.clockControl.advance(2000)
  expect((await playing(second.app)).items).toMatchObject([{ plays: 7 }])
})

test.each([
  { payload: { steps: [] }, target: 'body.steps' },
  { payload: { steps: [{ ...step(1, 1), deviceId: 'nothing' }] }, target: 'body.steps[0].deviceId' },
  { payload: { steps: [step(-1, 1)] }, target: 'body.steps[0].afterMs' },
  { payload: { steps: [{ afterMs: 1, deviceId: LIGHT }] }, target: 'body.steps[0].capability' },
  { payload: { steps: [{ ...step(1, 1), value: undefined }] }, target: 'body.steps[0].value' },
  { payload: { steps: [{ ...step(1, 1), status: 'ONLINE' }] }, target: 'body.steps[0].capability' },
  { payload: { steps: [step(0, 1)], repeat: true }, target: 'body.steps' },
  { payload: { steps: [step(1000, 1)], repeat: 0 }, target: 'body.repeat' },
])('the scenario $payload is rejected with 400 and an error at $target', async ({ payload, target }) => {
  const { app } = buildTestApp()
  const reply = await start(app, payload)
  const targets = reply.json().error.details.map((each: { target: string }) => each.target)
  expect([reply.statusCode, targets]).toEqual([400, [target]])
})

test('an advance by a day runs only about the last 10,000 steps of a scenario', async () => {
  const { app, clockControl, bus, clock, store } = buildTestApp()
  const from = clock.now()
  await start(app, { steps: [step(50, 'on'), step(50, 'off')], repeat: true })
  const before = bus.head()
  const advanced = clockControl.advance(24 * 60 * 60 * 1000)
  const began = performance.now()
  let longest = 0
  const over = advanced.then(() => true)
  while (!(await Promise.race([over, setTimeout(10, false)]))) {
    const asked = performance.now()
    expect((await app.inject('/health/live')).statusCode).toBe(200)
    longest = Math.max(longest, performance.now() - asked)
  }
  // If all steps were played at once, the longest response would take almost all of the time.
  expect(longest / (performance.now() - began)).toBeLessThan(1 / 3)
  expect(bus.head() - before).toBe(10_004)
  expect((await playing(app)).items).toMatchObject([{ plays: 864_000, nextStep: 0 }])
  const state = (await store.devices.get(LIGHT))?.components['main']?.['switch']?.['switch']
  expect(state).toMatchObject({ value: 'off', updatedAt: new Date(from + 86_400_000).toISOString() })
})

test('20 scenarios share the limit of about 10,000 steps equally when the clock is advanced', async () => {
  const { app, clockControl, bus } = buildTestApp()
  for (let i = 0; i < 20; i++) await start(app, { steps: [step(50, 'on'), step(50, 'off')], repeat: true })
  const before = bus.head()
  await clockControl.advance(24 * 60 * 60 * 1000)
  expect(bus.head() - before).toBe(20 * 504)
  expect((await playing(app)).items).toMatchObject(Array.from({ length: 20 }, () => ({ plays: 864_000 })))
})

test('a scenario with a repeat count ends after its last repetition', async () => {
  const { app, clockControl, bus } = buildTestApp()
  await start(app, { steps: [step(100, 'on')], repeat: 50_000 })
  const before = bus.head()
  await clockControl.advance(24 * 60 * 60 * 1000)
  expect(bus.head() - before).toBe(10_001)
  expect((await playing(app)).totalCount).toBe(0)
})

test('a scenario step accepts the unique name of a device and suggests the nearest name', async () => {
  const { app } = buildTestApp()
  const reply = await start(app, { steps: [{ ...step(1, 'on'), deviceId: 'Living room light' }] })
  expect(reply.json().steps).toMatchObject([{ deviceId: LIGHT }])
  const unknown = await start(app, { steps: [{ ...step(1, 'on'), deviceId: 'Living room lihgt' }] })
  expect(unknown.json().error.message).toContain(
    `body.steps[0].deviceId Living room lihgt does not exist; the nearest is Living room light (${LIGHT})`,
  )
})
