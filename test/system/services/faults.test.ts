import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ALL, asBearer, type CreatedSubscription, LIGHT } from '../../helpers/documents/events.ts'
import { call, SECRET } from '../../helpers/documents/soap.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'
import { type Installation, install, putSetting, send } from './installation.ts'
import { openLine } from './line.ts'
import { REJECTED_WITHIN } from './servers.ts'
import { lastId } from './subscriptions.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

const ready = (url: string) => () => fetch(`${url}/health/ready`).then(({ status }) => status)
const isThere = async (url: string, name: string) =>
  (await send('GET', `${url}/_control/records/settings/${name}`)).status === 200

const askWallet = (url: string) => {
  const query = 'modelName=VM-S100&serviceType=WALLET'
  return send('GET', `${url}/wallet/cmn/v2.0/device/available?${query}`, undefined, { partnerCode: 'partner-1001' })
}

const askBilling = async (url: string) => {
  const body = call('createServiceToken', { secret: SECRET })
  const headers = { 'content-type': 'text/xml; charset=utf-8' }
  const reply = await fetch(`${url}/iap/ws/RTCService?wsdl`, { method: 'POST', headers, body })
  return { status: reply.status, text: await reply.text() }
}

test('the APIs return their error format within 2 seconds when PostgreSQL is killed', async () => {
  const { url } = await installation.startInstance()
  expect((await putSetting(url, 'before')).status).toBe(200)
  await installation.postgres.kill()
  const started = performance.now()
  expect((await putSetting(url, 'away')).status).toBeGreaterThanOrEqual(500)
  const [wallet, soap] = await Promise.all([askWallet(url), askBilling(url)])
  expect(wallet.body['resultCode']).toBe('CMN4N8003')
  expect(soap.status).toBe(500)
  expect(soap.text).toContain('-1')
  expect(await ready(url)()).toBe(503)
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  await installation.postgres.start()
  await expect.poll(ready(url)).toBe(200)
  expect(await isThere(url, 'before')).toBe(true)
  expect(await isThere(url, 'away')).toBe(false)
  expect((await putSetting(url, 'after')).status).toBe(200)
})

test('a client that reconnects after PostgreSQL was killed receives the later events', async () => {
  const { url } = await installation.startInstance()
  const draft = { name: 'test', subscriptionFilters: ALL }
  const { body } = await send('POST', `${url}/subscriptions`, draft, asBearer('token-home'))
  const { registrationUrl } = body as unknown as CreatedSubscription
  const reader = await openStream(registrationUrl)
  await reader.next()
  const emit = async (value: number) => {
    const event = { capability: 'switchLevel', attribute: 'level', value }
    return (await send('POST', `${url}/_control/devices/${LIGHT}/events`, event)).status
  }
  expect(await emit(1)).toBe(200)
  await reader.until('"value":1')
  await installation.postgres.kill()
  for (const ask of [() => emit(2), ready(url), () => emit(2)]) {
    const started = performance.now()
    expect(await ask()).toBeGreaterThanOrEqual(500)
    expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  }
  await installation.postgres.start()
  await expect.poll(ready(url)).toBe(200)
  expect(await emit(3)).toBe(200)
  const returned = await openStream(registrationUrl, { 'last-event-id': lastId(reader) })
  await returned.until('"value":3')
  expect(returned.text).not.toMatch(/gap|"value":1,|"value":2,/)
})

test('an instance without a database connection rejects writes and later shows the writes of others', async () => {
  const postgres = await openLine(installation.postgres.port)
  onTestFinished(() => postgres.close())
  const cutOff = await installation.startInstance({ postgres: postgres.port })
  const other = await installation.startInstance()
  expect((await putSetting(cutOff.url, 'together')).status).toBe(200)
  postgres.cut()
  for (let i = 0; i < 3; i++) {
    const started = performance.now()
    expect((await putSetting(cutOff.url, `alone-${i}`)).status).toBeGreaterThanOrEqual(500)
    expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
  }
  expect(await ready(cutOff.url)()).toBe(503)
  expect((await putSetting(other.url, 'meanwhile')).status).toBe(200)
  expect((await send('POST', `${other.url}/_control/worlds`, { name: 'meanwhile' })).status).toBe(200)
  postgres.fix()
  await expect.poll(ready(cutOff.url)).toBe(200)
  expect(await isThere(cutOff.url, 'meanwhile')).toBe(true)
  expect((await putSetting(cutOff.url, 'again')).status).toBe(200)
  expect(await isThere(other.url, 'again')).toBe(true)
  const followed = () => send('GET', `${cutOff.url}/w/meanwhile/_control/clock`).then(({ status }) => status)
  await expect.poll(followed).toBe(200)
})
