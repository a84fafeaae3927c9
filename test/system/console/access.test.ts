import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { gzipSync } from 'node:zlib'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileConsole } from '../../../scripts/build/build.mjs'
import { buildApp } from '../../../src/server/app.ts'
import { asGuest, buildTestApp, listen, makeTestApp } from '../../helpers/build-test-app.ts'
import { clockAt, CONSOLE, newPage, openConsole, useBrowser, waitUntilLive } from '../../helpers/console.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** fast-xml-parser and its dependencies, which compare SOAP bodies. */
const xmlParser = [
  'fast-xml-builder',
  'fast-xml-parser',
  '@nodable/entities',
  'anynum',
  'is-unsafe',
  'path-expression-matcher',
  'strnum',
  'xml-naming',
]

describe('access to the console', () => {
  useBrowser()

  async function openGuarded(key: string): Promise<string> {
    const { worlds } = buildTestApp()
    const control = { open: false, key, worlds, jobs: createJobQueue(), version: 'test' }
    const app = buildApp({ worlds, control, console: { folder: CONSOLE } })
    onTestFinished(() => app.close())
    return listen(app)
  }

  test('the printed link opens the console and removes the key from the address', async () => {
    const url = await openGuarded('a-key-of-the-control-api')
    const page = await newPage()
    await page.goto(`${url}/_console#key=a-key-of-the-control-api`)
    await waitUntilLive(page)
    expect(page.url()).not.toContain('key')
    await page.reload()
    await waitUntilLive(page)
    await page.getByRole('button', { name: '+1 h' }).click()
    await clockAt(page, '2026-05-06T17:0').waitFor()
  })

  test('the console shows only a form for the key until the correct key is entered', async () => {
    const url = await openGuarded('a-key-of-the-control-api')
    const page = await newPage()
    await page.goto(`${url}/_console`)
    await page.getByRole('heading', { name: 'This server requires its control key' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Control key', { exact: true }).fill('a-wrong-key')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').getByText("This is not the server's key.").waitFor()
    await page.getByLabel('Control key', { exact: true }).fill('a-key-of-the-control-api')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await waitUntilLive(page)
  })

  test('a server without a key explains why it rejects requests from a proxy', async () => {
    const { url } = await openConsole('overview')
    const page = await newPage({ extraHTTPHeaders: { 'x-forwarded-for': '10.0.0.1' } })
    await page.goto(`${url}/_console`)
    await page.getByRole('heading', { name: 'This server has no control key' }).waitFor()
    await page.getByRole('alert').getByText('the header x-forwarded-for shows that a proxy sent the request').waitFor()
    expect(await page.getByLabel('Control key').count()).toBe(0)
  })

  test('the printed link works in a tab that shows the form for the key', async () => {
    const url = await openGuarded('a-key-of-the-control-api')
    const page = await newPage()
    await page.goto(`${url}/_console`)
    await page.getByLabel('Control key', { exact: true }).fill('ключ')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').getByText('A control key contains ASCII and Latin-1 characters only').waitFor()
    await page.goto(`${url}/_console#key=a-key-of-the-control-api`)
    await waitUntilLive(page)
    expect(page.url()).not.toContain('key')
  })

  test('the console allows and sends requests only to its own server', async () => {
    const { url, server, page } = await openConsole('overview')
    const reply = await fetch(`${url}/_console`)
    expect(reply.headers.get('content-security-policy')?.replaceAll(';', '; ')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await waitUntilLive(page)
    expect(asked.filter((address) => !address.startsWith(server))).toEqual([])
    expect(asked.length).toBeGreaterThan(3)
  })

  test('the console files, excluding barcodes, have at most 150 KB compressed and no external addresses', () => {
    const read = (file: string) => readFileSync(join(CONSOLE, file))
    const size = (files: string[]) => files.reduce((sum, file) => sum + gzipSync(read(file)).length, 0)
    const files = readdirSync(CONSOLE)
    const first = files.filter((file) => !file.startsWith('barcodes.'))
    expect(size(first)).toBeGreaterThan(10_000)
    expect(size(first)).toBeLessThan(150_000)
    expect(size(files) - size(first)).toBeLessThan(150_000)
    const addresses = files.flatMap(
      (file) =>
        read(file)
          .toString('utf8')
          .match(/https?:\/\/[\w.-]+/g) ?? [],
    )
    expect(addresses.filter((address) => !/w3\.org|schemas\.xmlsoap/.test(address))).toEqual([])
  })

  test('the console files can be read without a key, but the feed requires the key', async () => {
    const url = await openGuarded('a-key-of-the-control-api')
    expect((await fetch(`${url}/_console`)).status).toBe(200)
    expect((await fetch(`${url}/_console/main.js`)).headers.get('x-content-type-options')).toBe('nosniff')
    expect((await fetch(`${url}/_console/main.ts`)).status).toBe(404)
    expect((await fetch(`${url}/_control/feed`)).status).toBe(401)
  })

  test('an unreachable server is reported once, and the console reconnects when it is back', async () => {
    const { app } = buildTestApp({ console: CONSOLE })
    const url = await listen(app)
    const page = await newPage()
    await page.goto(`${url}/_console`)
    await waitUntilLive(page)
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByText('Look up a ZIP code').waitFor()
    await app.close()
    await page.getByRole('button', { name: '+1 h' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await page.getByRole('alert').getByText('The action failed because the server did not respond.').waitFor()
    expect((await page.getByRole('status').getByText('Not reachable').boundingBox())!.y).toBeLessThan(100)
    await page.getByRole('banner').getByText('…', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Billing', exact: true }).click()
    await page.getByText('Not loaded. The server cannot be reached.').waitFor()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByText('1 entry', { exact: true }).waitFor()
    // Uses a separate server. The page sends requests until it is closed, which would affect the next test.
    const { app: another, close } = makeTestApp()
    onTestFinished(close)
    await another.listen({ port: Number(new URL(url).port), host: '127.0.0.1' })
    await waitUntilLive(page)
    const action = page.getByRole('status', { name: 'Last action' })
    await action.getByText('The server was restarted. It started a new journal.').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('the console uses the shared client of the control API and no Node modules', async () => {
    const { metafile } = await compileConsole(ROOT)
    const inputs = Object.keys(metafile.inputs)
    expect(inputs).toContain('src/tools/client/world-client.ts')
    const packages = [
      '@bwip-js/browser',
      '@knadh/oat/css',
      '@noble/hashes',
      'diff',
      'eventsource-parser',
      'preact',
      ...xmlParser,
    ]
    const folders = ['src/contract/', 'src/tools/', ...packages.map((name) => `node_modules/${name}/`)]
    expect(inputs.filter((path) => !folders.some((folder) => path.startsWith(folder)))).toEqual([])
  })

  test('the console of a missing world lists the existing worlds unless a key is required', async () => {
    const { server, world, page } = await openConsole('overview')
    const html = { headers: { accept: 'text/html' } }
    const reply = await fetch(`${server}/w/none/_console`, html)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await (await fetch(`${server}/w/none/_console`)).json()).toBeTypeOf('object')
    expect((await fetch(`${server}/w/none/_control/status`, html)).headers.get('content-type')).toContain('json')
    await page.goto(`${server}/w/none/_console`)
    await page.getByRole('heading', { name: 'World none does not exist' }).waitFor()
    await page.getByRole('link', { name: world, exact: true }).click()
    await waitUntilLive(page)
    const url = await openGuarded('a-key-of-the-control-api')
    expect(await (await fetch(`${url}/w/none/_console`, html)).text()).not.toContain('default')
  })
})
