import http from 'node:http'
import { text } from 'node:stream/consumers'
import { http as handle, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { vendorHandlers } from '../../../src/tools/testing/msw.ts'

const HOST = 'support.vendor.example'
const headers = { 'request-source': 'vendor.com' }
const interceptor = setupServer(handle.all('*', () => new HttpResponse(null, { status: 418 })))
let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ port: false })
  interceptor.use(...vendorHandlers(cloud, { hosts: [HOST, 'billing.vendor.example:8443'] }))
  interceptor.listen()
})
afterAll(async () => {
  interceptor.close()
  await cloud.stop()
})

test('requests to a hard-coded address with fetch or node:http get responses and journal entries', async () => {
  const reply = await fetch(`https://${HOST}/stg/us/guest/zipCode?zipCode=07660`, { headers })
  expect(await reply.json()).toMatchObject({ city: 'Ridgefield Park' })
  const old = await new Promise<string>((resolve, reject) => {
    const url = `http://${HOST}/stg/us/guest/zipCode?zipCode=1`
    http.get(url, { headers }, (incoming) => resolve(text(incoming))).on('error', reject)
  })
  expect(old).toContain('zipCode')
  expect((await fetch('https://billing.vendor.example:8443/health/ready')).status).toBe(200)
  expect((await cloud.journal({ operation: 30 })).map(({ status }) => status)).toEqual([400, 200])
})

test('host names are matched as URLs normalize them, including case, default ports and IPv6 addresses', async () => {
  interceptor.use(...vendorHandlers(cloud, { hosts: ['MÜLLER.example', 'port.example:443', '[::1]:9'] }))
  for (const url of ['https://müller.example', 'https://port.example', 'http://port.example:443', 'http://[::1]:9']) {
    expect([url, (await fetch(`${url}/health/ready`)).status]).toEqual([url, 200])
  }
  expect((await fetch('http://port.example/')).status).toBe(418)
})

test('requests to hosts that are not configured are left to other handlers', async () => {
  for (const host of ['other.vendor.example', `x${HOST}`, `${HOST}.example`, 'billing.vendor.example']) {
    expect((await fetch(`https://${host}/`)).status).toBe(418)
  }
  expect(() => vendorHandlers(cloud, { hosts: ['https://support.vendor.example/'] })).toThrow(
    'is not a host name such as',
  )
})

test.each([
  [undefined, 'hosts must be a list of at least one host'],
  [{}, 'hosts must be a list of at least one host'],
  [{ hosts: [] }, 'hosts must be a list of at least one host'],
  [{ hosts: 'a' }, 'hosts must be a list of at least one host'],
  [{ hosts: [5] }, '5 is not a host name such as'],
  [{ hosts: ['*'] }, '\\* is not a host name such as'],
  [{ hosts: ['*.vendor.example'] }, '\\*.vendor.example is not a host name such as'],
  [{ hosts: ['a+b$'] }, 'a\\+b\\$ is not a host name such as'],
  [{ hosts: ['a:99999'] }, 'a:99999 is not a host name such as'],
  [{ host: ['a'] }, 'host is not an option of vendorHandlers \\(did you mean hosts?\\)'],
])('the options %j are rejected with an error that shows the invalid value', (options, says) => {
  expect(() => vendorHandlers(cloud, options as { hosts: string[] })).toThrow(
    new RegExp(`^${says.replace('?', '\\?')}`),
  )
})

test('a response that a fault drops is a network error for the client', async () => {
  await cloud.faults.add({ match: { operation: 30 }, respond: { reset: true }, times: 1 })
  await expect(fetch(`https://${HOST}/stg/us/guest/zipCode?zipCode=07660`, { headers })).rejects.toThrow(TypeError)
})

test('the URL of a subscription contains the host, and its stream sends the welcome event', async () => {
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const bearer = { authorization: 'Bearer token-home' }
  const reply = await fetch(`https://${HOST}/subscriptions`, { method: 'POST', headers: bearer, body })
  const { registrationUrl } = (await reply.json()) as { registrationUrl: string }
  expect(registrationUrl).toMatch(/^https:\/\/support\.vendor\.example\/filters\//)
  const reader = (await fetch(registrationUrl)).body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('welcome')
  await reader.cancel()
})
