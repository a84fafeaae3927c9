import { setTimeout as wait } from 'node:timers/promises'
import { findOperation } from '#contract/documents/find-operation.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import { type EventStream, fillCall, type ReceivedResponse } from '#tools/cases/player/request.ts'
import { createRequester } from '#tools/cases/player/undici-request.ts'
import type { Comparison } from '#tools/compare/comparison.ts'
import { CapturedExchange, toCall } from './captured-exchange.ts'
import { type ProxiedCall, refuse } from './forward-proxy.ts'
import { hasBody, readCallBody, type Destination, relay } from './relay.ts'
import { admit, toDestination, type Upstream } from './upstream.ts'
import type { StreamFrame } from '#contract/files/case.ts'

export interface ComparedTraffic {
  upstream: Upstream
  ours(url: ProxiedCall['url']): Destination
  answers: 'upstream' | 'emulator'
  comparison: Comparison
  compared(): void
}

/** Maximum size of a request body in bytes. The body is buffered, because it is sent twice. */
const LARGEST = 32 * 1024 * 1024
/** Milliseconds to wait for the frames of the slower server. */
const FRAMES = 2000
const MOST_FRAMES = 1000

/** Requests are sent to both servers one at a time, in order of arrival. Event streams run in parallel. */
export function compareTraffic(traffic: ComparedTraffic) {
  let last: Promise<unknown> = Promise.resolve()
  let steps = 0
  const answer = async (call: ProxiedCall): Promise<void> => {
    const admitted = await admit(traffic.upstream, call, () => void traffic.comparison.left.writes++)
    if (!admitted) return
    const body = admitted.body ?? (hasBody(call.request) ? await readCallBody(call.request, LARGEST) : undefined)
    if (body === 'too large') return refuse(call.reply, 413, `a call is larger than ${LARGEST / 1024 / 1024} MB`)
    const compare = () => compareCall(traffic, call, { body, step: ++steps })
    if (findOperation(call.request.method ?? 'GET', call.url.path)?.operation === 'stream') return compare()
    const turn = last.then(compare, compare)
    last = turn
    return turn
  }
  return {
    answer,
    /** Settles when all requests so far have been compared, or after a timeout. */
    idle: () => Promise.race([last.catch(() => {}), wait(FRAMES, undefined, { ref: false })]),
  }
}

async function compareCall(
  traffic: ComparedTraffic,
  proxied: ProxiedCall,
  { body, step }: { body: Buffer | undefined; step: number },
): Promise<void> {
  const { comparison, upstream } = traffic
  const { request, url } = proxied
  const isFromUpstream = traffic.answers === 'upstream'
  const call = toCall(proxied, body ?? Buffer.alloc(0))
  const frames: StreamFrame[] = []
  const captured = new CapturedExchange(proxied, (frame) => {
    if (frames.length < MOST_FRAMES && !captured.isTooLarge) frames.push(frame)
  })
  // Requests in a report have no user agent. It is sent here, because servers may respond differently without it.
  const { 'user-agent': agent } = request.headers
  const sent = { ...call, headers: { ...call.headers, ...(agent !== undefined && { 'user-agent': agent }) } }
  const { translate, translateBack } = comparison.idMapping
  const [toOurs, toTheirs] = [traffic.ours(url), toDestination(upstream, proxied)]
  const [shadow] = await Promise.all([
    isFromUpstream ? sendShadow(toOurs, sent, translateBack) : sendShadow(toTheirs, sent, translate),
    relay(isFromUpstream ? toTheirs : toOurs, proxied, { body, observer: captured }),
  ])
  const reply = captured.readReply()
  const { stream, body: shadowBody, ...others } = shadow ?? {}
  if (stream) await waitForFrames(stream, frames.length)
  stream?.close()
  // Nothing is compared if a server was not reachable, the client disconnected, or a body was too large to be stored.
  if (!reply || !shadow || (!captured.isStream && (captured.hasLeft || captured.isTooLarge))) return
  // If the body is not captured, as for an image, the body of the other server is not compared either.
  const shadowReply = { ...others, ...(reply.body !== undefined && { body: shadowBody }) }
  const [ours, theirs] = isFromUpstream ? [shadowReply, reply] : [reply, shadowReply]
  comparison.take({ step, call, ours, theirs })
  if (stream && captured.isStream) {
    const shadowFrames = stream.frames.takeAll().slice(0, MOST_FRAMES)
    if (isFromUpstream) comparison.takeFrames(step, call, shadowFrames, frames)
    else comparison.takeFrames(step, call, frames, shadowFrames)
  }
  traffic.compared()
}

async function waitForFrames({ frames }: EventStream, count: number): Promise<void> {
  for (let left = FRAMES; left > 0 && frames.waiting < count; left -= 20) await wait(20)
}

/** Sends the call with the other server's IDs. Returns undefined if that server is not reachable. */
async function sendShadow(
  { origin, dispatcher, headers, path }: Destination,
  call: HttpRequest,
  translate: (text: string) => string,
): Promise<ReceivedResponse | undefined> {
  const { request } = createRequester(origin, { dispatcher })
  const translated = fillCall({ ...call, path: path ?? call.path }, translate)
  try {
    const reply = await request({ ...translated, headers: { ...translated.headers, ...headers } })
    return reply.late && reply.status === undefined ? undefined : reply
  } catch {
    return undefined
  }
}
