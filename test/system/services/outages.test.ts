import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ALL, asBearer, type CreatedSubscription, LIGHT } from '../../helpers/documents/events.ts'
import { call, SECRET } from '../../helpers/documents/soap.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'
import { type Installation, install, putSetting, send } from './installation.ts'
import { REJECTED_WITHIN } from './servers.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

type Ask = () => Promise<{ status: number }>

const ready = async (url: string) => (await fetch(`${url}/health/ready`)).status
const EVENT = { capability: 'switchLevel', attribute: 'level', value: 1 }
const DURATION = { duration: 'PT1H' }

/** Changes on one instance that must become visible on the other instances. */
const changes = (url: string): Record<string, Ask> => ({
  event: () => send('POST', `${url}/_control/devices/${LIGHT}/events`, EVENT),
  world: () => send('POST', `${url}/_control/worlds`, { name: 'away' }),
  'end of a world': () => send('DELETE', `${url}/_control/worlds/kept`),
  clock: () => send('POST', `${url}/_control/clock/advance`, DURATION),
  reset: () => send('POST', `${url}/_control/reset`),
  scenario: () =>
    send('POST', `${url}/_control/scenarios`, { steps: [{ afterMs: 0, deviceId: LIGHT, ...EVENT }], repeat: 1 }),
  token: () => send('DELETE', `${url}/_control/tokens/token-other`),
  readiness: () => fetch(`${url}/health/ready`),
})

/** Requests that the server can handle only if the database is available. */
const lookups = (url: string): Record<string, Ask> => ({
  record: () => putSetting(url, 'away'),
  snapshot: () => send('GET', `${url}/_control/snapshot`),
  wallet: () =>
    send('GET', `${url}/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET`, undefined, {
      partnerCode: 'partner-1001',
    }),
  billing: () =>
    fetch(`${url}/iap/ws/RTCService?wsdl`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body: call('createServiceToken', { secret: SECRET }),
    }),
  'a world of its own': () => putSetting(`${url}/w/kept`, 'away'),
})

/**
 * Sends three copies of each request in parallel, and then each request separately. Returns the responses that were
 * slow, and those that were not rejections.
 */
async function refusals(all: Record<string, Ask>) {
  const slow: string[] = []
  const accepted: string[] = []
  const time = async ([name, ask]: [string, Ask]) => {
    const started = performance.now()
    const { status } = await ask()
    const took = Math.round(performance.now() - started)
    if (took >= REJECTED_WITHIN) slow.push(`${name} took ${took} ms`)
    if (status < 500) accepted.push(`${name} ${status}`)
  }
  const each = Object.entries(all)
  await Promise.all([...each, ...each, ...each].map(time))
  for (const one of each) await time(one)
  return { slow, accepted }
}

test.each(['killed', 'silent'] as const)(
  'requests are rejected within 2 seconds and change nothing while PostgreSQL is %s',
  async (how) => {
    const one = await installation.startInstance()
    const other = await installation.startInstance()
    await send('POST', `${one.url}/_control/worlds`, { name: 'kept' })
    const before = (await send('PUT', `${one.url}/_control/clock`, { now: '2026-05-06T16:00:00.000Z', frozen: true }))
      .body
    const { body } = await send(
      'POST',
      `${one.url}/subscriptions`,
      { subscriptionFilters: ALL },
      asBearer('token-home'),
    )
    const { registrationUrl } = body as unknown as CreatedSubscription
    const server = installation.postgres
    if (how === 'killed') await server.kill()
    else server.freeze()
    onTestFinished(() => (how === 'killed' ? undefined : server.thaw()))

    const asked = { ...changes(one.url), stream: () => fetch(registrationUrl) }
    const found = await refusals({ ...asked, ...lookups(one.url) })
    expect(found).toEqual({ slow: [], accepted: [] })

    if (how === 'killed') await server.start()
    else server.thaw()
    for (const { url } of [one, other]) {
      await expect.poll(() => ready(url)).toBe(200)
      expect((await send('GET', `${url}/w/kept/_control/clock`)).status).toBe(200)
      expect((await send('GET', `${url}/_control/clock`)).body).toMatchObject({ now: before['now'], frozen: true })
      expect((await send('GET', `${url}/w/away/_control/clock`)).status).toBe(404)
    }
    await send('DELETE', `${other.url}/_control/worlds/kept`)
  },
)

test('an instance stops within 2 seconds while PostgreSQL is unresponsive', async () => {
  const instance = await installation.startInstance()
  const { body } = await send(
    'POST',
    `${instance.url}/subscriptions`,
    { subscriptionFilters: ALL },
    asBearer('token-home'),
  )
  const reader = await openStream((body as unknown as CreatedSubscription).registrationUrl)
  await reader.next()
  const server = installation.postgres
  server.freeze()
  onTestFinished(() => server.thaw())
  const started = performance.now()
  expect(await instance.stop('SIGTERM')).toBe(0)
  expect(performance.now() - started).toBeLessThan(REJECTED_WITHIN)
})

test('probes, metrics, documentation and console respond without PostgreSQL, even if tickets progress', async () => {
  const { url } = await installation.startInstance()
  const profile = { profile: 'auto', choices: { 'ticket-progress': 'auto' } }
  expect((await send('PUT', `${url}/_control/profile`, profile)).status).toBe(200)
  await installation.postgres.kill()
  onTestFinished(() => installation.postgres.start())
  for (const path of ['/health/live', '/metrics', '/docs', '/_console']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
  }
})
