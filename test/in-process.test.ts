import { createServer } from 'node:http'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectVendorCloud, openVendorCloud, startVendorCloud, type VendorCloudOptions } from '../src/index.ts'
import { createInProcess } from '../src/server/in-process/fetch.ts'
import type { RequestListener } from 'node:http'

const HOST = 'https://support.vendor.example'
const headers = { 'request-source': 'vendor.com' }
const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const lookUp = (init: RequestInit = {}) =>
  new Request(`${HOST}/stg/us/guest/zipCode?zipCode=07660`, { headers, ...init })

async function start(options: VendorCloudOptions = { port: false }) {
  const cloud = await startVendorCloud(options)
  onTestFinished(() => cloud.stop())
  return cloud
}

test('world.fetch sends requests for any host name to the world, with or without a port', async () => {
  for (const options of [{ port: false as const }, {}]) {
    const cloud = await start(options)
    const world = await cloud.world({ name: 'own' })
    const reply = await world.fetch(lookUp())
    expect(await reply.json()).toMatchObject({ city: 'Ridgefield Park' })
    expect([reply.status, reply.url]).toEqual([200, lookUp().url])
    expect((await world.journal({ operation: 30 })).length).toBe(1)
    expect((await cloud.journal({ operation: 30 })).length).toBe(0)
  }
})

test('world.fetch accepts a path without a leading slash', async () => {
  const world = await (await start()).world()
  expect((await world.fetch('stg/us/guest/zipCode?zipCode=07660', { headers })).status).toBe(200)
})

test('openVendorCloud names the variable whose value is not a URL', async () => {
  vi.stubEnv('VENDOR_CLOUD_URL', 'localhost:8470')
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(openVendorCloud()).rejects.toThrow(
    'VENDOR_CLOUD_URL=localhost:8470 is not a valid URL. Use a form such as http://localhost:8080',
  )
})

test('a remote client sends requests for any host name to the remote server', async () => {
  const own = await start({})
  vi.stubEnv('VENDOR_CLOUD_URL', own.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await (await openVendorCloud()).fetch(lookUp())).status).toBe(200)
  const world = await own.world({ name: 'afar' })
  expect((await connectVendorCloud(world.url).fetch(lookUp())).status).toBe(200)
  expect((await world.journal({ operation: 30 })).length).toBe(1)
})

test('fetch rejects for reset connections, truncated bodies and aborted requests', async () => {
  const cloud = await start()
  const fault = (respond: object) => cloud.faults.add({ match: { operation: 30 }, respond: respond as never, times: 1 })
  await fault({ reset: true })
  await expect(cloud.fetch(lookUp())).rejects.toThrow(new TypeError('fetch failed'))
  await fault({ cut: 5 })
  const cut = await cloud.fetch(lookUp())
  expect(cut.status).toBe(200)
  await expect(cut.text()).rejects.toThrow(new TypeError('terminated'))
  await fault({ timeout: true })
  const left = new AbortController()
  const never = cloud.fetch(lookUp({ signal: left.signal }))
  await vi.waitUntil(async () => (await cloud.journal({ operation: 30 })).length === 3)
  left.abort(new Error('enough'))
  await expect(never).rejects.toThrow('enough')
  await expect(cloud.fetch(lookUp({ signal: AbortSignal.abort(new Error('before')) }))).rejects.toThrow('before')
  expect((await cloud.fetch(lookUp())).status).toBe(200)
})

test('an event stream closes when its signal aborts or its reader stops', async () => {
  const cloud = await start()
  const subscribe = async () => {
    const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
    const bearer = { authorization: 'Bearer token-home' }
    const reply = await cloud.fetch(new Request(`${HOST}/subscriptions`, { method: 'POST', headers: bearer, body }))
    return ((await reply.json()) as { registrationUrl: string }).registrationUrl
  }
  const url = await subscribe()
  expect(url).toMatch(/^https:\/\/support\.vendor\.example\//)
  const left = new AbortController()
  const reply = await cloud.fetch(new Request(url, { signal: left.signal }))
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('welcome')
  await cloud.events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value: 'on' })
  expect((await reader.read()).value).toContain('DEVICE_EVENT')
  const streams = async () => (await cloud.control<{ totalCount: number }>('GET', 'streams')).totalCount
  expect(await streams()).toBe(1)
  left.abort()
  await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' })
  await vi.waitUntil(async () => (await streams()) === 0)
  const again = await cloud.fetch(new Request(url))
  expect(await streams()).toBe(1)
  await again.body!.cancel()
  await vi.waitUntil(async () => (await streams()) === 0)
})

test('an image is uploaded completely, as a form or as a stream', async () => {
  const cloud = await start()
  const form = new FormData()
  const pixels = new Uint8Array(2_000_000)
  pixels.set(new TextEncoder().encode('GIF89aAAAA   ,AAAAAAAA \t;'))
  form.set('imageFile', new Blob([pixels], { type: 'image/gif' }), 'wide.gif')
  const image = `${HOST}/stg/us/guest/serviceRequest/asset/symptomImage?srid=4100000017`
  const first = await cloud.fetch(new Request(image, { method: 'POST', headers, body: form }))
  expect(await first.json()).toMatchObject({ size: 2_000_000, contentType: 'image/gif', sequence: 1 })
  const whole = new Request(image, { method: 'POST', headers, body: form })
  const type = { 'content-type': whole.headers.get('content-type')! }
  const pieces = { method: 'POST', headers: { ...headers, ...type }, body: whole.body, duplex: 'half' as const }
  expect(await (await cloud.fetch(new Request(image, pieces))).json()).toMatchObject({ size: 2_000_000, sequence: 2 })
  const replies = await Promise.all(Array.from({ length: 200 }, () => cloud.fetch(lookUp())))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a request sent before stop gets its response, but a later request is rejected', async () => {
  const cloud = await startVendorCloud({ port: false })
  const before = cloud.fetch(lookUp())
  await cloud.stop()
  expect((await before).status).toBe(200)
  await expect(cloud.fetch(lookUp())).rejects.toThrow(new TypeError('fetch failed'))
})

test('a script keeps running while it waits for a response, and then exits', () => {
  const script = `import { startVendorCloud } from './src/index.ts'
    const vendor = await startVendorCloud({ port: false })
    await vendor.faults.add({ match: { operation: 30 }, respond: { timeout: true } })
    const signal = AbortSignal.timeout(300)
    const call = new Request('${lookUp().url}', { headers: { 'request-source': 'vendor.com' }, signal })
    console.log(await vendor.fetch(call).catch(({ name }) => name))`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  const cwd = join(import.meta.dirname, '..')
  expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 50_000 })).toBe('TimeoutError\n')
})

function reach(listener: RequestListener) {
  const inProcess = createInProcess(createServer(listener))
  onTestFinished(() => inProcess.close())
  return (init: RequestInit = {}, path = '/a') => inProcess.fetch(new Request(`http://vendor.example${path}`, init))
}

test('redirects are followed with the same rules as in fetch', async () => {
  const asked: string[] = []
  const ask = reach((request, reply) => {
    asked.push(`${request.method} ${request.url}`)
    const status = Number(/\d+/.exec(request.url!)?.[0] ?? 200)
    reply
      .writeHead(status, { location: status === 308 && request.url!.endsWith('loop') ? '/308/loop' : '/b' })
      .end('end')
  })
  const post = { method: 'POST', body: 'text' }
  expect(await (await ask(post, '/303')).text()).toBe('end')
  expect(await (await ask(post, '/307')).text()).toBe('end')
  expect(asked).toEqual(['POST /303', 'GET /b', 'POST /307', 'POST /b'])
  expect((await ask({ redirect: 'manual' }, '/302')).status).toBe(302)
  await expect(ask({ redirect: 'error' }, '/302')).rejects.toThrow(TypeError)
  await expect(ask({}, '/308/loop')).rejects.toThrow(TypeError)
})

test('compressed bodies are decompressed, and incomplete bodies fail', async () => {
  const packed = gzipSync('text '.repeat(1000))
  const ask = reach((request, reply) => {
    if (request.url === '/204') return void reply.writeHead(204).end()
    reply.writeHead(200, { 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] })
    if (request.url === '/half') reply.write(packed.subarray(0, 20), () => void reply.destroy())
    else reply.end(packed)
  })
  const whole = await ask()
  expect([await whole.text(), whole.headers.getSetCookie()]).toEqual(['text '.repeat(1000), ['a=1', 'b=2']])
  await expect((await ask({}, '/half')).text()).rejects.toThrow(TypeError)
  expect([(await ask({}, '/204')).body, (await ask({ method: 'HEAD' })).body]).toEqual([null, null])
})

test('a reader that pauses also pauses the server, and still receives the complete body', async () => {
  let written = 0
  const ask = reach((_request, reply) => {
    const more = () => {
      while (written < 400) {
        written++
        if (!reply.write(Buffer.alloc(16_384))) return void reply.once('drain', more)
      }
      reply.end()
    }
    more()
  })
  const reply = await ask()
  await new Promise((resolve) => setImmediate(resolve))
  expect(written).toBeLessThan(100)
  expect((await reply.arrayBuffer()).byteLength).toBe(400 * 16_384)
})
