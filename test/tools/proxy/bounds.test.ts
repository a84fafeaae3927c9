import { once } from 'node:events'
import { createServer, request as open } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readBounded } from '../../../src/tools/proxy/bounded-reply.ts'
import { Rate } from '../../../src/tools/proxy/rate.ts'
import { relay } from '../../../src/tools/proxy/relay.ts'
import { listenAs } from '../../helpers/proxy.ts'

function useManualTime() {
  vi.useFakeTimers({ now: 0, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('at most so many calls pass within any second, in their order; who waits for 30 s is sent away', async () => {
  useManualTime()
  const rate = new Rate(5, Date.now)
  const passed: [number, boolean, number][] = []
  for (let i = 0; i < 200; i++) {
    void rate.pass(new AbortController().signal).then((isAllowed) => passed.push([i, isAllowed, Date.now()]))
  }
  await vi.advanceTimersByTimeAsync(0)
  expect(passed).toHaveLength(5)
  await vi.advanceTimersByTimeAsync(30_000)
  const allowed = passed.filter(([, isAllowed]) => isAllowed)
  expect(allowed.map(([i]) => i)).toEqual(Array.from({ length: allowed.length }, (_, i) => i))
  expect(allowed.length).toBeGreaterThanOrEqual(150)
  for (const [i, , at] of allowed.slice(5)) expect(at - allowed[i - 5]![2]).toBeGreaterThanOrEqual(1000)
  expect(passed).toHaveLength(200)
  expect(passed.filter(([, isAllowed, at]) => !isAllowed && at < 30_000)).toEqual([])
})

test('a client that leaves gives its place to the one behind it', async () => {
  useManualTime()
  const rate = new Rate(1, Date.now)
  const [first, second, third] = [1, 2, 3].map(() => new AbortController())
  expect(await rate.pass(first!.signal)).toBe(true)
  const left = rate.pass(second!.signal)
  const next = rate.pass(third!.signal).then((isAllowed) => [isAllowed, Date.now()])
  second!.abort()
  expect(await left).toBe(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await next).toEqual([true, 1000])
})

const limits = { patience: 1000, longest: 3000, bytes: 10, timer: () => performance.now() }
const piece = Buffer.from('x')

test.each([
  [
    'silent',
    async function* () {
      yield piece
      await new Promise(() => {})
    },
    1000,
  ],
  [
    'coming byte by byte',
    async function* () {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 900))
        yield piece
      }
    },
    3000,
  ],
  [
    'too large',
    async function* () {
      for (;;) yield piece
    },
    0,
  ],
])('an answer without end is cut off: %s', async (_, answer, ms) => {
  useManualTime()
  const read = (async () => {
    let bytes = 0
    for await (const each of readBounded(answer(), limits)) bytes += each.length
    return bytes
  })()
  const failure = read.catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(ms)
  expect(await failure).toMatch(/it (does not end|is larger)/)
})

test('a reply that nobody reads stops its upstream, and is given up after 30 s', async () => {
  let written = 0
  const origin = await listenAs((request, reply) => {
    request.resume()
    const more = () => {
      written += 65_536
      if (!reply.destroyed && reply.write(Buffer.alloc(65_536))) setImmediate(more)
      else reply.once('drain', more)
    }
    more()
  })
  const dispatcher = new Agent()
  const given: { ms: number; giveUp?: () => void } = { ms: 0 }
  const front = createServer((request, reply) => {
    // The callback is the timer's; here it strikes when the test says so.
    reply.setTimeout = (ms, callback) => {
      Object.assign(given, { ms, giveUp: callback })
      return reply
    }
    void relay({ origin, dispatcher, headers: {} }, '/', request, reply)
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    front.close().closeAllConnections()
    await dispatcher.destroy()
  })
  const { port } = front.address() as AddressInfo
  const [reply] = await once(open({ port, host: '127.0.0.1' }).end(), 'response')
  reply.pause()
  const counts = [-1]
  const isStopped = () => counts.push(written) > 2 && written > 0 && counts.at(-2) === written
  await expect.poll(isStopped, { timeout: 10_000, interval: 200 }).toBe(true)
  expect(written).toBeLessThan(64 * 1024 * 1024)
  expect(given.ms).toBe(30_000)
  given.giveUp!()
  await expect(buffer(reply)).rejects.toMatchObject({ code: 'ECONNRESET' })
})
