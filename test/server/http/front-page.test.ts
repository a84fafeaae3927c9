import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startVendorCloud } from '../../../src/index.ts'
import { buildTestApp, type TestApp } from '../../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PAGES = [
  '/',
  '/openapi',
  '/docs',
  '/docs/support',
  '/docs/events',
  '/docs/wallet',
  '/docs/control',
  '/docs/stream',
  '/docs/billing',
]

async function openWithConsole(): Promise<TestApp> {
  const folder = makeTemporaryFolder()
  mkdirSync(folder, { recursive: true })
  for (const name of ['index.html', 'main.js', 'main.css']) writeFileSync(join(folder, name), name)
  const opened = buildTestApp({ console: folder })
  await opened.app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'demo' } })
  return opened
}

/** Returns the links that a browser would follow or load, with decoded entities. */
function linksOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href|data-file)="([^"]+)"/g)].map(([, link]) =>
    link!.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  )
}

/** In the last case, a proxy removes `/vendor` from the path. */
test.each([
  ['', ''],
  ['/w/demo', ''],
  ['/w/demo', '/vendor'],
])('every link on every page works and points to the same world (%j, prefix %j)', async (root, prefix) => {
  const { app } = await openWithConsole()
  for (const path of PAGES) {
    const page = await app.inject({ url: root + path, headers: browser })
    expect([path, page.statusCode, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    for (const link of linksOf(page.payload)) {
      // Links to the interfaces contain the address of the request.
      const isOfRequest = link.startsWith('http://localhost:80/')
      const { pathname } = new URL(link, `http://served${prefix}${root}${path}`)
      const local = isOfRequest ? pathname : pathname.replace(prefix, '')
      if (!isOfRequest) expect(pathname, `${path} links to it`).toMatch(new RegExp(`^${prefix}${root}/`))
      expect((await app.inject(local)).statusCode, local).toBe(200)
    }
  }
})

test('the server of an OpenAPI file has the path of PUBLIC_URL', async () => {
  const cloud = await startVendorCloud({ settings: { PUBLIC_URL: 'https://shop.example/vendor' } })
  onTestFinished(() => cloud.stop())
  const world = await cloud.world('demo')
  const serverOf = async (own: Pick<typeof cloud, 'fetch'>) =>
    ((await (await own.fetch('/openapi/support.json')).json()) as { servers: { url: string }[] }).servers[0]!.url
  expect(await serverOf(cloud)).toBe('/vendor')
  expect(await serverOf(world)).toBe('/vendor/w/demo')
})

test('the start page links to the console, the APIs and first calls', async () => {
  const { app } = await openWithConsole()
  const page = await app.inject({ url: '/w/demo', headers: { ...browser, host: 'localhost:8080' } })
  expect(page.payload).toContain('href="../w/demo/_console"')
  expect(page.payload).toContain('<a href="../w/demo/docs">Documentation</a>: guides')
  expect(page.payload).toContain('http://localhost:8080/w/demo/stg/us/guest/zipCode?zipCode=07660')
  const { headers, ...json } = await app.inject({ url: '/w/demo/', headers: { host: 'localhost:8080' } })
  expect(headers.vary).toBe('accept')
  expect(json.json()).toMatchObject({
    name: 'vendor-cloud',
    world: 'demo',
    console: 'http://localhost:8080/w/demo/_console',
    docs: 'http://localhost:8080/w/demo/docs',
  })
  expect((await buildTestApp().app.inject('/')).json()).not.toHaveProperty('console')
})

test('the start page shows the last request only to clients with control API access', async () => {
  const { app } = await openWithConsole()
  const read = async (headers = {}) =>
    (await app.inject({ url: '/w/demo', headers: { ...browser, ...headers } })).payload
  expect(await read()).toContain('<li>Last request: none</li>')
  await app.inject('/w/demo/nowhere/%3Cb%3E')
  const page = await read()
  expect(page).toContain('<li>World: demo</li>')
  expect(page).toMatch(/<li>Clock: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
  expect(page).toContain('<li>Last request: GET /nowhere/%3Cb%3E: 404</li>')
  const elsewhere = await read({ host: 'rebound.example' })
  expect(elsewhere).toContain('<li>World: demo</li>')
  expect(elsewhere).not.toContain('Last request')
})

test('requests for the icon and for pages are not in the journal', async () => {
  const { app } = await openWithConsole()
  const icon = await app.inject('/favicon.ico')
  expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  for (const path of PAGES) await app.inject({ url: path, headers: browser })
  expect((await app.inject('/_control/journal')).json().totalCount).toBe(0)
})

test('API descriptions can be read from every origin', async () => {
  const { app } = buildTestApp()
  const headers = { origin: 'https://editor.example' }
  for (const url of [
    '/openapi',
    ...['support', 'events', 'wallet', 'control', 'stream'].map((n) => `/openapi/${n}.json`),
  ])
    expect((await app.inject({ url, headers })).headers['access-control-allow-origin'], url).toBe('*')
  expect((await app.inject({ url: '/docs', headers })).headers).not.toHaveProperty('access-control-allow-origin')
})

test('the pages for billing and the stream show the address, operations, errors and events', async () => {
  const { app } = await openWithConsole()
  const billing = (await app.inject({ url: '/w/demo/docs/billing', headers: { host: 'localhost:8080' } })).payload
  for (const text of ['http://localhost:8080/w/demo/iap/ws/RTCService', 'EXPIRED_SERVICE_TOKEN', 'latestOrderId'])
    expect(billing).toContain(text)
  const stream = (await app.inject('/docs/stream')).payload
  for (const text of ['DEVICE_HEALTH_EVENT', 'retry', '/filters/{subscriptionId}/activate'])
    expect(stream).toContain(text)
})
