import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { http as handle } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { LocalConnection } from '../../../src/server/in-process/connection.ts'
import { vendorHandlers } from '../../../src/tools/testing/msw.ts'

const HOST = 'https://support.vendor.example'
const headers = { 'request-source': 'vendor.com' }
const lookUp = (init: RequestInit = {}) =>
  new Request(`${HOST}/stg/us/guest/zipCode?zipCode=07660`, { headers, ...init })

function noteUnhandled(): Error[] {
  const unhandled: Error[] = []
  const note = (error: Error) => void unhandled.push(error)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  onTestFinished(() => void process.off('uncaughtException', note).off('unhandledRejection', note))
  return unhandled
}

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

test('a reset of a connection that nobody listens to is no error of the process', async () => {
  const unhandled = noteUnhandled()
  for (const end of ['client', 'server'] as const) {
    const pair = LocalConnection.pair(1)
    pair[end].resetAndDestroy()
    await setImmediate()
    expect([pair.client.destroyed, pair.server.destroyed]).toEqual([true, true])
  }
  expect(unhandled).toEqual([])
})

test('a stop with a reply that nobody read leaves no error unhandled', async () => {
  const { cloud, unhandled } = await start()
  const reply = await cloud.fetch(lookUp())
  expect(reply.status).toBe(200)
  await cloud.stop()
  await setImmediate()
  expect(unhandled).toEqual([])
  expect(await reply.json()).toMatchObject({ city: 'Ridgefield Park' })
})

test('a stop with event streams, read or not, leaves no error unhandled', async () => {
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
    // It ends for its reader, be it by an error.
    await Promise.allSettled([rest()])
  }
})

test('a stop ends a request whose body has no end', async () => {
  const { cloud, unhandled } = await start()
  let pieces = 0
  let send!: () => void
  const isSent = new Promise<void>((resolve) => (send = resolve))
  const body = new ReadableStream({
    // More than are waited for before the request is on its way.
    pull: (controller) => (++pieces < 1200 ? controller.enqueue(Buffer.from(' ')) : send()),
  })
  const bearer = { authorization: 'Bearer token-home' }
  const init = { method: 'POST', headers: bearer, body, duplex: 'half' as const }
  const asked = cloud.fetch(new Request(`${HOST}/subscriptions`, init))
  await isSent
  await Promise.all([cloud.stop(), expect(asked).rejects.toThrow(new TypeError('fetch failed'))])
  expect(unhandled).toEqual([])
})

test('a stop leaves no error unhandled in a client of Mock Service Worker either', async () => {
  const { cloud, unhandled } = await start()
  const interceptor = setupServer(
    ...vendorHandlers(cloud, { hosts: ['support.vendor.example'] }),
    handle.all('*', () => {}),
  )
  interceptor.listen()
  onTestFinished(() => interceptor.close())
  expect((await openStream(fetch)).status).toBe(200)
  expect((await fetch(lookUp())).status).toBe(200)
  await cloud.stop()
  await setImmediate()
  expect(unhandled).toEqual([])
})

test('a library that intercepts requests before this one is loaded is not asked again by what it asks', () => {
  const script = `import { setupServer } from 'msw/node'
    const interceptor = setupServer()
    interceptor.listen()
    const { startVendorCloud } = await import('./src/index.ts')
    const { vendorHandlers } = await import('./src/tools/testing/msw.ts')
    const cloud = await startVendorCloud({ port: false })
    interceptor.use(...vendorHandlers(cloud, { hosts: ['support.vendor.example'] }))
    const reply = await fetch('${lookUp().url}', { headers: { 'request-source': 'vendor.com' } })
    console.log((await reply.json()).city, (await cloud.journal({ operation: 30 })).length)
    await cloud.stop()
    interceptor.close()`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  const cwd = join(import.meta.dirname, '../../..')
  expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 100_000 })).toBe('Ridgefield Park 1\n')
})

test('what a client of Mock Service Worker aborts is an AbortError there, and no word on the console', async () => {
  const { cloud, unhandled } = await start()
  onTestFinished(() => cloud.stop())
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const interceptor = setupServer(...vendorHandlers(cloud, { hosts: ['support.vendor.example'] }))
  interceptor.listen({ onUnhandledRequest: 'bypass' })
  onTestFinished(() => interceptor.close())
  await cloud.faults.add({ match: { operation: 30 }, respond: { timeout: true }, times: 1 })
  const left = new AbortController()
  const asked = fetch(lookUp({ signal: left.signal }))
  await vi.waitUntil(async () => (await cloud.journal({ operation: 30 })).length === 1)
  left.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  expect([said.mock.calls, unhandled]).toEqual([[], []])
})

test('a cut at or behind the end of a body delivers it whole, and the server answers on', async () => {
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
