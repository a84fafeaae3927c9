import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { LIGHT, THERMOSTAT } from '../../helpers/documents/events.ts'
import { type StreamReader, valueIn } from '../../helpers/documents/stream-reader.ts'
import { type Installation, install, readiness, send } from './installation.ts'
import { openAt, subscribe } from './subscriptions.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

async function watch(url: string): Promise<StreamReader> {
  const reader = await openAt(url, await subscribe(url))
  await reader.next()
  return reader
}

function timesOf({ blocks }: StreamReader, deviceId: string): number[] {
  const events = blocks.filter(({ event }) => event === 'DEVICE_EVENT')
  const told = events.map(({ data }) => data as { eventTime: number; deviceEvent: { deviceId: string } })
  return told.filter((each) => each.deviceEvent.deviceId === deviceId).map(({ eventTime }) => eventTime)
}

const valuesOf = ({ blocks }: StreamReader): unknown[] =>
  blocks.filter(({ event }) => event === 'DEVICE_EVENT').map(valueIn)

const stepsOf = (count: number, afterMs: number) =>
  Array.from({ length: count }, (_, i) => ({
    afterMs,
    deviceId: LIGHT,
    capability: 'switchLevel',
    attribute: 'level',
    value: i + 1,
  }))

test('each change of a simulated device happens on only one instance', async () => {
  const a = await installation.startInstance({ more: { SIMULATE: '1' } })
  const b = await installation.startInstance({ more: { SIMULATE: '1' } })
  const [first, second] = [await watch(a.url), await watch(b.url)]
  await expect.poll(() => timesOf(first, THERMOSTAT).length).toBeGreaterThan(2)
  const times = timesOf(first, THERMOSTAT)
  // The thermostat reports every three seconds.
  for (const [i, time] of times.slice(1).entries()) expect(time - times[i]!).toBeGreaterThan(2000)
  await a.stop('SIGKILL')
  const before = second.blocks.length
  await expect.poll(() => second.blocks.length).toBeGreaterThan(before)
})

test('a scenario continues in order on another instance when its instance is killed', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const reader = await watch(b.url)
  const begun = await send('POST', `${a.url}/_control/scenarios`, { steps: stepsOf(12, 300) })
  expect(begun.status).toBe(200)
  await reader.until('"value":3,')
  await a.stop('SIGKILL')
  await reader.until('"value":12,')
  const values = valuesOf(reader).map(Number)
  expect(values).toEqual([...new Set(values)].sort((x, y) => x - y))
  // A step that was pending when the instance was killed may be lost.
  expect(values.length).toBeGreaterThanOrEqual(11)
  await expect.poll(async () => (await send('GET', `${b.url}/_control/scenarios`)).body['totalCount']).toBe(0)
})

test('each scenario step runs once and in order when both instances move the clock', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  onTestFinished(async () => void (await send('DELETE', `${b.url}/_control/clock`)))
  await send('PUT', `${a.url}/_control/clock`, { now: '2026-05-06T16:00:00.000Z', frozen: true })
  const reader = await watch(b.url)
  await send('POST', `${a.url}/_control/scenarios`, { steps: stepsOf(20, 60_000) })
  const answers = await Promise.all(
    [a, b, a, b].map(({ url }) => send('POST', `${url}/_control/clock/advance`, { duration: 'PT10M' })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  for (const { url } of [a, b]) {
    expect((await send('GET', `${url}/_control/clock`)).body).toMatchObject({ now: '2026-05-06T16:40:00.000Z' })
  }
  await reader.until('"value":20,')
  expect(valuesOf(reader)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
})

test('a scenario pauses while the database is unavailable and continues afterwards', async () => {
  const a = await installation.startInstance()
  const reader = await watch(a.url)
  await send('POST', `${a.url}/_control/scenarios`, { steps: stepsOf(8, 400) })
  await reader.until('"value":2,')
  await installation.postgres.kill()
  await expect.poll(() => readiness(a.url)).toBe(503)
  await installation.postgres.start()
  await reader.until('"value":8,')
  const values = valuesOf(reader).map(Number)
  expect(values).toEqual([...new Set(values)].sort((x, y) => x - y))
  expect(values.length).toBeGreaterThanOrEqual(7)
})
