import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../../../src/cli/proxy/answering.ts'
import { readNamedHost } from '../../../src/contract/documents/named-hosts.ts'
import { keepHostAuthority } from '../../../src/server/adapters/certificates/host-authority.ts'
import { createForwardProxy } from '../../../src/tools/proxy/forward-proxy.ts'
import { newPage, useBrowser } from '../../helpers/console.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const HOST = 'support.vendor.example'

async function openProxy(): Promise<string> {
  const world = await openWorld({})
  const authority = await keepHostAuthority(makeTemporaryFolder(), [HOST])
  const proxy = createForwardProxy({
    hosts: [readNamedHost(HOST)],
    certify: (host) => authority.certify(host, Date.now()),
    answer: world.answer,
    now: Date.now,
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    proxy.close()
    proxy.closeAllConnections()
    await world.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

describe('a browser page behind the proxy', () => {
  useBrowser()

  test('a page on the host of the vendor gets responses over HTTPS through the proxy', async () => {
    // A headless browser cannot import a certificate authority.
    const page = await newPage({ proxy: { server: await openProxy() }, ignoreHTTPSErrors: true })
    await page.goto(`https://${HOST}/`)
    const asked = page.evaluate(async () => {
      const reply = await fetch('/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } })
      return reply.json() as Promise<unknown>
    })
    expect(await asked).toMatchObject({ city: 'Ridgefield Park' })
    await expect(page.goto('https://elsewhere.example/')).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED')
  })
})
