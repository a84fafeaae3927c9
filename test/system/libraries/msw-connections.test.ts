import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { http as handle } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openVendorCloud } from '../../../src/index.ts'
import { vendorHandlers } from '../../../src/tools/testing/msw.ts'
import { noteUnhandled } from '../../server/in-process/unhandled-errors.ts'

const HOST = 'https://support.vendor.example'
const headers = { 'request-source': 'vendor.com' }
const lookUp = (init: RequestInit = {}) =>
  new Request(`${HOST}/stg/us/guest/zipCode?zipCode=07660`, { headers, ...init })

async function start() {
  const unhandled = noteUnhandled()
  return { cloud: await openVendorCloud(), unhandled }
}

async function openStream(fetch: typeof globalThis.fetch): Promise<Response> {
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const bearer = { authorization: 'Bearer token-home' }
  const reply = await fetch(new Request(`${HOST}/subscriptions`, { method: 'POST', headers: bearer, body }))
  return fetch(new Request(((await reply.json()) as { registrationUrl: string }).registrationUrl))
}

test('stopping the server causes no unhandled errors while a handler has an open stream', async () => {
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

test('an interceptor installed before vendor-cloud is loaded does not intercept vendor-cloud requests', () => {
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

test('an aborted request to a handler rejects with AbortError and prints nothing', async () => {
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
