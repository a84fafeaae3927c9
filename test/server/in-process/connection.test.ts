import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { LocalConnection } from '../../../src/server/in-process/connection.ts'
import { noteUnhandled } from './unhandled-errors.ts'

const HOST = 'https://support.vendor.example'
const headers = { 'request-source': 'vendor.com' }
const lookUp = (init: RequestInit = {}) =>
  new Request(`${HOST}/stg/us/guest/zipCode?zipCode=07660`, { headers, ...init })

async function start() {
  const unhandled = noteUnhandled()
  return { cloud: await openVendorCloud(), unhandled }
}

async function openStream(fetch: VendorCloud['fetch']): Promise<Response> {
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const bearer = { authorization: 'Bearer token-home' }
  const reply = await fetch(new Request(`${HOST}/subscriptions`, { method: 'POST', headers: bearer, body }))
  return fetch(new Request(((await reply.json()) as { registrationUrl: string }).registrationUrl))
}

test('resetting an in-process connection without listeners causes no unhandled error', async () => {
  const unhandled = noteUnhandled()
  for (const end of ['client', 'server'] as const) {
    const pair = LocalConnection.pair(1)
    pair[end].resetAndDestroy()
    await setImmediate()
    expect([pair.client.destroyed, pair.server.destroyed]).toEqual([true, true])
  }
  expect(unhandled).toEqual([])
})

test('stopping the server with an unread response causes no unhandled error', async () => {
  const { cloud, unhandled } = await start()
  const reply = await cloud.fetch(lookUp())
  expect(reply.status).toBe(200)
  await cloud.stop()
  await setImmediate()
  expect(unhandled).toEqual([])
  expect(await reply.json()).toMatchObject({ city: 'Ridgefield Park' })
})

test('stopping the server with open event streams causes no unhandled error', async () => {
  for (const isRead of [true, false]) {
    const { cloud, unhandled } = await start()
    const { body } = await openStream(cloud.fetch)
    const reader = body!.getReader()
    if (isRead) await reader.read()
    await cloud.stop()
    await setImmediate()
    expect(unhandled).toEqual([])
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    // The body ends for its reader too, even if the cause is an error.
    await Promise.allSettled([rest()])
  }
})

test('stopping the server ends a request with an endless body', async () => {
  const { cloud, unhandled } = await start()
  let pieces = 0
  let send!: () => void
  const isSent = new Promise<void>((resolve) => (send = resolve))
  const body = new ReadableStream({
    // This is more than the client buffers before it sends the request.
    pull: (controller) => (++pieces < 1200 ? controller.enqueue(Buffer.from(' ')) : send()),
  })
  const bearer = { authorization: 'Bearer token-home' }
  const init = { method: 'POST', headers: bearer, body, duplex: 'half' as const }
  const asked = cloud.fetch(new Request(`${HOST}/subscriptions`, init))
  await isSent
  await Promise.all([cloud.stop(), expect(asked).rejects.toThrow(new TypeError('fetch failed'))])
  expect(unhandled).toEqual([])
})

test('a cut fault at or after the end of a body delivers the complete body', async () => {
  const { cloud, unhandled } = await start()
  onTestFinished(() => cloud.stop())
  const whole = await (await cloud.fetch(lookUp())).text()
  const cut = async (bytes: number, init: RequestInit = {}) => {
    await cloud.faults.add({ match: { operation: 30 }, respond: { cut: bytes }, times: 1 })
    return (await cloud.fetch(lookUp(init))).text()
  }
  expect(await cut(1000)).toBe(whole)
  expect(await cut(whole.length)).toBe(whole)
  expect(await cut(1000, { method: 'HEAD' })).toBe('')
  expect(await cut(5, { method: 'HEAD' })).toBe('')
  await expect(cut(whole.length - 1)).rejects.toThrow(new TypeError('terminated'))
  expect(await (await cloud.fetch(lookUp())).text()).toBe(whole)
  expect(unhandled).toEqual([])
})
