import { setTimeout as wait } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import { passingCallHeaders } from '#contract/files/passing-headers.ts'
import { findOperation } from '#contract/documents/find-operation.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import { hasBody, readCallBody, type Destination, relay, isLost } from './relay.ts'
import { CapturedReply } from './captured-reply.ts'
import { type ProxiedCall, refuse } from './forward-proxy.ts'
import type { Frame } from './frame-reader.ts'
import { passingHeaders, toHeaderFields, asSent } from './raw-headers.ts'
import { admit, pass, toDestination, type Upstream } from './upstream.ts'
import { type ReplyBounds, readBounded } from './bounded-reply.ts'

type Call = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>

export interface LiveComparison {
  take(exchange: { step: number; call: Call; ours: HttpResponse; theirs: HttpResponse }): readonly string[]
  takeFrames(step: number, call: Call, ours: readonly Frame[], theirs: readonly Frame[]): readonly string[]
  unifier: { translate(ours: string): string; translateBack(theirs: string): string }
  left: { writes: number }
}

export interface ComparedTraffic {
  upstream: Upstream
  /** Gives the place in our world for a call to that address. */
  ours(url: ProxiedCall['url']): Destination
  answers: 'upstream' | 'emulator'
  comparison: LiveComparison
  compared(): void
}

/** A body is sent twice, so it is kept whole up to this size. */
const LARGEST = 32 * 1024 * 1024
/** Frames of the slower side are waited for no longer than this. */
const FRAMES = 2000

/** Calls reach both servers one after the other, in order of arrival; event streams run beside them. */
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
    /** Settles when all calls so far are compared, or have been waited for long enough. */
    idle: () => Promise.race([last.catch(() => {}), wait(FRAMES, undefined, { ref: false })]),
  }
}

async function compareCall(
  traffic: ComparedTraffic,
  call: ProxiedCall,
  { body, step }: { body: Buffer | undefined; step: number },
): Promise<void> {
  const { comparison, upstream } = traffic
  const { request, reply, url } = call
  const isTheirs = traffic.answers === 'upstream'
  const method = request.method ?? 'GET'
  const [answered, shadow] = [new CapturedReply(method), new CapturedReply(method)]
  const other: ShadowCall = {
    ...(isTheirs ? { ...traffic.ours(url), path: url.path } : toDestination(upstream, call)),
    bounds: upstream.bounds,
    request,
    body,
    translate: isTheirs ? comparison.unifier.translateBack : comparison.unifier.translate,
  }
  const end = new AbortController()
  const made = makeShadowCall(other, shadow, end.signal)
  const options = { body, witness: answered }
  await (isTheirs ? pass(upstream, call, options) : relay(traffic.ours(url), url.path, request, reply, options))
  if (answered.isStream) await waitForFrames(answered, shadow)
  else shadow.isStreamUnwanted = true
  if (answered.isStream || shadow.isStream) end.abort()
  await made
  const [ours, theirs] = isTheirs ? [shadow, answered] : [answered, shadow]
  const replies = { ours: ours.read(), theirs: theirs.read() }
  // A server that could not be asked leaves nothing to compare.
  if (!replies.ours || !replies.theirs) return
  const told = describeCall(call, body)
  comparison.take({ step, call: told, ours: replies.ours, theirs: replies.theirs })
  if (ours.isStream && theirs.isStream) comparison.takeFrames(step, told, ours.frames, theirs.frames)
  traffic.compared()
}

async function waitForFrames(answered: CapturedReply, shadow: CapturedReply): Promise<void> {
  for (let left = FRAMES; left > 0 && shadow.frames.length < answered.frames.length; left -= 20) await wait(20)
}

function describeCall({ request, url }: ProxiedCall, body: Buffer | undefined): Call {
  const fields = Object.entries(toHeaderFields(passingHeaders(request.rawHeaders)))
  const headers = Object.fromEntries(fields.filter(([name]) => !passingCallHeaders.has(name)))
  return { method: request.method ?? 'GET', path: url.path, headers, ...(body && { body: body.toString() }) }
}

/** The other server gets the client's call too, so that both replies can be compared. */
interface ShadowCall extends Destination {
  bounds: ReplyBounds
  path: string
  request: IncomingMessage
  body: Buffer | undefined
  /** Translates ids of the answering server to those of this one. */
  translate(text: string): string
}

/** Keeps what comes; an absent server leaves nothing, and the client never notices. */
async function makeShadowCall(call: ShadowCall, captured: CapturedReply, signal: AbortSignal): Promise<void> {
  const { origin, dispatcher, headers: own, bounds, path, request, body, translate } = call
  const replaced = { ...own, 'accept-encoding': 'identity' }
  // Ids of another length give the body another one.
  const passed = passingHeaders(request.rawHeaders, [...Object.keys(replaced), 'content-length'])
  const sent = passed.map((text, i) => (i % 2 === 0 ? text : translate(text)))
  try {
    const answer = await dispatcher.request({
      origin,
      path: translate(path),
      method: request.method as Dispatcher.HttpMethod,
      headers: [...sent, ...Object.entries(replaced).flat()],
      body: body ? translateBody(body, translate) : null,
      signal,
      headersTimeout: bounds.patience,
      bodyTimeout: 0,
      responseHeaders: 'raw',
    })
    captured.answered(answer.statusCode, passingHeaders(asSent(answer.headers)))
    if (captured.isStream && captured.isStreamUnwanted) return void answer.body.on('error', () => {}).destroy()
    const pieces = readBounded(answer.body, captured.isStream ? undefined : bounds)
    for await (const piece of pieces) captured.received(piece)
    captured.ended('whole')
  } catch (error) {
    if (signal.aborted) captured.ended('left')
    else captured.ended(isLost(error) && !captured.hasBegun ? 'lost' : 'cut')
  }
}

/** A body that is no text passes unchanged: replacing letters would damage it. */
function translateBody(body: Buffer, translate: (text: string) => string): Buffer {
  const text = body.toString()
  return Buffer.from(text).equals(body) ? Buffer.from(translate(text)) : body
}
