import { setTimeout as wait } from 'node:timers/promises'
import { passingCallHeaders } from '../../contract/cases/passing-headers.ts'
import { findOperation } from '../../contract/documents/find-operation.ts'
import type { CaseCall, CaseReply } from '../../contract/records/control/case.ts'
import { hasBody, readCallBody } from './call-body.ts'
import { CapturedReply } from './captured-reply.ts'
import type { Destination } from './destination.ts'
import type { ProxiedCall } from './forward-proxy.ts'
import type { Frame } from './frame-reader.ts'
import { passingHeaders, toHeaderFields } from './raw-headers.ts'
import { refuse } from './refusal.ts'
import { relay } from './relay.ts'
import { makeShadowCall, type ShadowCall } from './shadow-call.ts'
import { admit, pass, toDestination, type Upstream } from './upstream.ts'

type Call = Pick<CaseCall, 'method' | 'path' | 'headers' | 'body'>

export interface LiveComparison {
  take(exchange: { step: number; call: Call; ours: CaseReply; theirs: CaseReply }): readonly string[]
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
