import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { CONTROL_KEY, type Installation, install, send } from '../installation.ts'

interface Page {
  entries: { id: number; at: string; instance: string; query: string }[]
  totalCount: number
  missing: string[]
  next?: string
}

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

const headers = { 'request-source': 'vendor.com' }
const zip = (url: string, world: string, zipCode: number) =>
  send('GET', `${url}/w/${world}/stg/us/guest/zipCode?zipCode=${zipCode}`, undefined, headers)

async function readAll(url: string, world: string, query = ''): Promise<Page> {
  const { status, body } = await send('GET', `${url}/w/${world}/_control/journal?all=true&${query}`)
  expect(status).toBe(200)
  return body as unknown as Page
}

/** It ends well with its test: one that is killed would be missed by the instances of the next. */
async function start() {
  const instance = await installation.startInstance()
  onTestFinished(async () => {
    instance.process.kill('SIGCONT')
    await instance.stop('SIGTERM')
  })
  return instance
}

async function startTwo(world: string, more: object = {}) {
  const [a, b] = await Promise.all([start(), start()])
  expect((await send('POST', `${a.url}/_control/worlds`, { name: world, ...more })).status).toBe(200)
  return [a, b] as const
}

const zipsOf = ({ entries }: Page) => entries.map(({ query }) => Number(query.slice('zipCode='.length)))

test('either instance answers with the entries of both, newest first, page by page', async () => {
  const [a, b] = await startTwo('both')
  for (let i = 0; i < 10; i++) await zip(i % 3 ? b.url : a.url, 'both', 10_001 + i)
  const whole = await readAll(a.url, 'both')
  expect([whole.totalCount, whole.missing, whole.next]).toEqual([10, [], undefined])
  expect(zipsOf(whole)).toEqual(Array.from({ length: 10 }, (_, i) => 10_010 - i))
  expect(whole.entries.map(({ at }) => at)).toEqual(
    whole.entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  expect(new Set(whole.entries.map(({ instance }) => instance)).size).toBe(2)
  expect(await readAll(b.url, 'both')).toEqual(whole)
  const pages: Page[] = []
  for (let cursor = ''; pages.length < 9; cursor = `&cursor=${pages.at(-1)!.next}`) {
    // Each page by another instance.
    pages.push(await readAll(pages.length % 2 ? a.url : b.url, 'both', `limit=3${cursor}`))
    if (pages.at(-1)!.next === undefined) break
  }
  expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries)
  expect(zipsOf(await readAll(a.url, 'both', 'q=10007'))).toEqual([10_007])
})

test('where the clock stands, entries of both come in the order in which they came', async () => {
  const [a, b] = await startTwo('standing', { now: '2026-05-06T16:00:00Z', frozen: true })
  for (let i = 0; i < 8; i++) {
    await zip(i % 2 ? b.url : a.url, 'standing', 10_001 + i)
    // Of one millisecond, no order is told.
    const came = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(came + 1)
  }
  const page = await readAll(b.url, 'standing')
  expect(new Set(page.entries.map(({ at }) => at))).toEqual(new Set(['2026-05-06T16:00:00.000Z']))
  expect(zipsOf(page)).toEqual(Array.from({ length: 8 }, (_, i) => 10_008 - i))
})

test('one that stands still is named and waited for 1.5 s at most; its entries are there when it goes on', async () => {
  const [a, b] = await startTwo('halt')
  await zip(a.url, 'halt', 10_001)
  await zip(b.url, 'halt', 10_002)
  const { entries } = await readAll(a.url, 'halt')
  b.process.kill('SIGSTOP')
  const asked = performance.now()
  const alone = await readAll(a.url, 'halt')
  const took = performance.now() - asked
  expect([alone.missing, zipsOf(alone), alone.totalCount]).toEqual([[entries[0]!.instance], [10_001], 1])
  expect(took).toBeGreaterThanOrEqual(1490)
  expect(took).toBeLessThan(10_000)
  b.process.kill('SIGCONT')
  await expect.poll(async () => (await readAll(a.url, 'halt')).missing).toEqual([])
  expect(zipsOf(await readAll(a.url, 'halt'))).toEqual([10_002, 10_001])
})

test('one that is killed is named until it counts as gone, and one that ends well is not', async () => {
  const [a, b] = await startTwo('end')
  const c = await start()
  await zip(b.url, 'end', 10_002)
  await zip(c.url, 'end', 10_003)
  const { entries } = await readAll(a.url, 'end')
  await c.stop('SIGTERM')
  await expect.poll(async () => (await readAll(a.url, 'end')).missing).toEqual([])
  await b.stop('SIGKILL')
  expect((await readAll(a.url, 'end')).missing).toEqual([entries[1]!.instance])
  await expect.poll(async () => (await readAll(a.url, 'end')).missing).toEqual([])
})

test('long entries of both come whole over several pages, none of which is larger than its bound', async () => {
  const [a, b] = await startTwo('long')
  const fault = { match: { operation: 22 }, respond: { status: 503, body: 'x'.repeat(16_000) } }
  for (const { url } of [a, b]) expect((await send('POST', `${url}/w/long/_control/faults`, fault)).status).toBe(200)
  const comment = (i: number) => ({ rating: 5, comment: `${i} ${'ü'.repeat(8000)}` })
  await Promise.all(
    Array.from({ length: 240 }, (_, i) =>
      send('POST', `${i % 2 ? a.url : b.url}/w/long/stg/us/guest/customerFeedback`, comment(i), headers),
    ),
  )
  let count = 0
  for (let cursor = '', more = true; more; ) {
    const page = await readAll(a.url, 'long', `limit=100${cursor}`)
    expect(JSON.stringify(page).length).toBeLessThan(9 * 1024 * 1024)
    count += page.entries.length
    more = page.next !== undefined
    cursor = `&cursor=${page.next}`
  }
  expect(count).toBe(240)
})

test('without Redis it is refused, as all that needs the others', async () => {
  const own = await install()
  try {
    const a = await own.startInstance()
    own.redis.freeze()
    expect((await send('GET', `${a.url}/_control/journal?all=true`)).status).toBe(503)
    expect((await send('GET', `${a.url}/_control/journal`)).status).toBe(200)
  } finally {
    own.redis.thaw()
    await own.remove()
  }
})

test('logs --all prints what every instance keeps, oldest first, and tells of one that is silent', async () => {
  const [a, b] = await startTwo('printed')
  for (let i = 0; i < 4; i++) await zip(i % 2 ? b.url : a.url, 'printed', 10_001 + i)
  const logs = (...more: string[]) => {
    const args = ['dist/main.js', 'logs', '--all', '--url', `${a.url}`, '--world', 'printed', ...more]
    return promisify(execFile)(process.execPath, args, { env: { ...process.env, CONTROL_KEY } })
  }
  const { stdout } = await logs()
  expect(stdout.match(/zipCode=\d+/g)).toEqual(['zipCode=10001', 'zipCode=10002', 'zipCode=10003', 'zipCode=10004'])
  expect(stdout).toMatch(/^\S+Z [\w.-]+-[\da-f]{8} GET /)
  await expect(logs('--follow')).rejects.toThrow('--follow is for one instance')
  b.process.kill('SIGSTOP')
  const without = await logs('--story')
  expect(without.stdout.split('\n')).toEqual([expect.stringContaining('10001'), expect.stringContaining('10003'), ''])
  expect(without.stderr).toMatch(/^[\w.-]+-[\da-f]{8} says nothing: its entries are missing\n$/)
})
