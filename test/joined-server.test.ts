import { expect, onTestFinished, test, vi } from 'vitest'
import { openVendorCloud, startVendorCloud, type VendorCloud } from '../src/index.ts'

/**
 * Starts a server and connects the library to it, as in a test. `of` returns the address to which the library connects.
 */
async function start(of: (own: VendorCloud) => string | Promise<string> = ({ url }) => url) {
  const own = await startVendorCloud({ host: '127.0.0.1', settings: { CONTROL_KEY: 'key-of-the-server' } })
  onTestFinished(() => own.stop())
  vi.stubEnv('VENDOR_CLOUD_URL', await of(own))
  vi.stubEnv('CONTROL_KEY', 'key-of-the-server')
  onTestFinished(() => void vi.unstubAllEnvs())
  const worlds = async () => (await own.worlds()).items.map(({ name }) => name).toSorted()
  return { own, joined: await openVendorCloud(), worlds }
}

test('stop deletes the unrecorded worlds that the client created on a shared server', async () => {
  const { own, joined, worlds } = await start(async (server) => (await server.world('theirs')).url)
  const mine = await joined.world('mine')
  await mine.world('made-by-mine')
  await joined.world({ name: 'recorded', record: true })
  const late = await joined.world('recorded-later')
  await late.recording.start()
  const over = await joined.world({ name: 'recorded-before', record: true })
  await over.recording.stop()
  const twice = await joined.world('twice')
  await twice.delete()
  await own.world('twice')
  await joined.stop()
  await joined.stop()
  expect(await worlds()).toEqual(['default', 'recorded', 'recorded-later', 'theirs', 'twice'])
  await own.ready()
})

test('worlds that a client creates on a shared server expire after a day by default', async () => {
  const { own, joined } = await start()
  const seconds = async (name: string) => {
    const { createdAt, expiresAt } = (await own.worlds()).items.find((world) => world.name === name)!
    return expiresAt && (Date.parse(expiresAt) - Date.parse(createdAt)) / 1000
  }
  const kept = await joined.world({ name: 'kept', record: true })
  await kept.world('made-by-it')
  await joined.world({ name: 'short', expiresIn: 60 })
  await own.world('theirs')
  expect(await Promise.all(['kept', 'made-by-it', 'short', 'theirs'].map(seconds))).toEqual([
    86_400,
    86_400,
    60,
    undefined,
  ])
})

test('a world whose creation is in progress during stop is deleted', async () => {
  const { joined, worlds } = await start()
  const made = joined.world('late')
  await joined.stop()
  const world = await made
  expect(await worlds()).toEqual(['default'])
  await expect(world.status()).rejects.toThrow('the client was stopped')
  await expect(joined.fetch('/health/live')).rejects.toThrow(new TypeError('fetch failed'))
})

async function openStream({ fetch }: VendorCloud, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const made = await fetch('/subscriptions', { method: 'POST', headers: { authorization: 'Bearer token-home' }, body })
  return fetch(((await made.json()) as { registrationUrl: string }).registrationUrl, { signal: signal ?? null })
}

test.each([true, false])(
  'event streams on a shared server end when their client stops (client has read events: %s)',
  async (isRead) => {
    const { own, joined } = await start()
    const stream = await openStream(joined)
    expect(stream.url).toContain(own.url)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    if (isRead) expect((await reader.read()).value).toContain('welcome')
    const watched = (async () => {
      for await (const { event } of joined.watch()) expect(event).toEqual(expect.any(String))
    })()
    const count = async () => (await own.streams.list()).totalCount
    expect(await count()).toBe(1)
    await joined.stop()
    if (isRead) expect(await reader.read()).toEqual({ done: true, value: undefined })
    await watched
    await vi.waitUntil(async () => (await count()) === 0)
  },
)

test('stop resolves even if the shared server has already stopped', async () => {
  const { own, joined } = await start()
  for (const name of ['one', 'two']) await joined.world(name)
  await own.stop()
  await joined.stop()
})

test.each(['leave', 'break'])('stop resolves after a stream was aborted or dropped: %s', async (how) => {
  const { own, joined } = await start()
  const left = new AbortController()
  const stream = await openStream(joined, left.signal)
  const reader = stream.body!.getReader()
  await reader.read()
  const next = reader.read().catch((error: unknown) => error)
  if (how === 'leave') left.abort()
  else await own.streams.injectFault((await own.streams.list()).items[0]!.subscriptionId, { action: 'drop' })
  expect(await next).toBeInstanceOf(Error)
  await joined.world('mine')
  await joined.stop()
  expect((await own.worlds()).items.map(({ name }) => name)).toEqual(['default'])
})
