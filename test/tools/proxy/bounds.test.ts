import { once } from 'node:events'
import { createServer, request as open } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readBounded } from '../../../src/tools/proxy/bounded-reply.ts'
import { Rate } from '../../../src/tools/compare/rate.ts'
import type { ProxiedCall } from '../../../src/tools/proxy/forward-proxy.ts'
import { relay } from '../../../src/tools/proxy/relay.ts'
import { beginProxy, HOST, listenAs } from '../../helpers/proxy.ts'

function useManualTime() {
  vi.useFakeTimers({ now: 0, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('the rate limit passes calls in order and rejects calls that waited 30 s', async () => {
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

test('when a waiting client disconnects, the next client gets its slot', async () => {
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
    'without further bytes',
    async function* () {
      yield piece
      await new Promise(() => {})
    },
    1000,
  ],
  [
    'sent slowly byte by byte',
    async function* () {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 900))
        yield piece
      }
    },
    3000,
  ],
  [
    'larger than the limit',
    async function* () {
      for (;;) yield piece
    },
    0,
  ],
])('a response that does not end is cut off: %s', async (_, answer, ms) => {
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

test('a response that the client does not read pauses the upstream', async () => {
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
    // Stores the callback of the timer, so that the test can call it.
    reply.setTimeout = (ms, callback) => {
      Object.assign(given, { ms, giveUp: callback })
      return reply
    }
    const url = { protocol: 'http:' as const, host: HOST, path: '/' }
    void relay({ origin, dispatcher, headers: {} }, { url, request, reply })
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

const pipelined = (count: number) => `GET http://${HOST}/x HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`.repeat(count)

async function beginHeld() {
  const held: (() => void)[] = []
  const answer = async ({ reply }: ProxiedCall) => void held.push(() => reply.end('x'))
  const { port } = await beginProxy({ answer, close: async () => {}, about: {} })
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return { held, socket }
}

/** The socket is reset first. `once` of node:events would reject because of this reset. */
const closing = (socket: Socket) => new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))

test('at most 16 pipelined requests get a response, and then the connection is closed', async () => {
  const { held, socket } = await beginHeld()
  let text = ''
  const closed = closing(socket.on('data', (chunk) => (text += String(chunk))))
  socket.write(pipelined(100))
  await vi.waitUntil(() => held.length === 16)
  for (const end of held) end()
  await closed
  expect(held).toHaveLength(16)
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(16)
})

test('a tunnel without data closes after 30 s', async () => {
  const { socket } = await beginHeld()
  await once(socket, 'connect')
  useManualTime()
  socket.write(`CONNECT ${HOST}:443 HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`)
  await once(socket, 'data')
  const closed = closing(socket.resume())
  await vi.advanceTimersByTimeAsync(29_000)
  expect(socket.readyState).toBe('open')
  await vi.advanceTimersByTimeAsync(1000)
  await closed
})
