import { setTimeout as wait } from 'node:timers/promises'
import { passingCallHeaders } from '../../contract/cases/passing-headers.ts'
import { findOperation } from '../../contract/documents/find-operation.ts'
import type { CaseCall, CaseReply } from '../../contract/records/control/case.ts'
import { askBeside, type BesideCall } from './beside.ts'
import { CapturedReply, type Frame } from './captured-reply.ts'
import type { ProxiedCall } from './forward-proxy.ts'
import { passingHeaders, toHeaderFields } from './raw-headers.ts'
import { type Destination, refuse, relay } from './relay.ts'
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
    const admitted = await admit(traffic.upstream, call)
    if (!admitted) {
      if (call.reply.statusCode === 403) traffic.comparison.left.writes++
      return
    }
    const body = admitted.body ?? (await readWhole(call))
    if (body === null) return refuse(call.reply, 413, `a call is larger than ${LARGEST / 1024 / 1024} MB`)
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
  const [answering, beside] = [new CapturedReply(method), new CapturedReply(method)]
  const end = new AbortController()
  const other: BesideCall = {
    ...(isTheirs ? { ...traffic.ours(url), path: url.path } : toDestination(upstream, call)),
    request,
    body,
    timer: upstream.timer,
    translate: isTheirs ? comparison.unifier.translateBack : comparison.unifier.translate,
  }
  const asked = askBeside(other, beside, end.signal)
  const options = { body, witness: answering }
  await (isTheirs ? pass(upstream, call, options) : relay(traffic.ours(url), url.path, request, reply, options))
  if (answering.isStream) await waitForFrames(answering, beside)
  else beside.isStreamUnwanted = true
  if (answering.isStream || beside.isStream) end.abort()
  await asked
  const [answered, besides] = [answering.read(), beside.read()]
  // A server that could not be asked leaves nothing to compare.
  if (!answered || !besides) return
  const [ours, theirs] = isTheirs ? [besides, answered] : [answered, besides]
  const told = describeCall(call, body)
  comparison.take({ step, call: told, ours, theirs })
  if (answering.isStream && beside.isStream) {
    const [own, foreign] = isTheirs ? [beside, answering] : [answering, beside]
    comparison.takeFrames(step, told, own.frames, foreign.frames)
  }
  traffic.compared()
}

async function waitForFrames(answering: CapturedReply, beside: CapturedReply): Promise<void> {
  for (let left = FRAMES; left > 0 && beside.frames.length < answering.frames.length; left -= 20) await wait(20)
}

function describeCall({ request, url }: ProxiedCall, body: Buffer | undefined): Call {
  const fields = Object.entries(toHeaderFields(passingHeaders(request.rawHeaders)))
  const headers = Object.fromEntries(fields.filter(([name]) => !passingCallHeaders.has(name)))
  return { method: request.method ?? 'GET', path: url.path, headers, ...(body && { body: body.toString() }) }
}

/** The body is read to its end even when it is too large: a body left unread destroys the connection. */
async function readWhole({ request }: ProxiedCall): Promise<Buffer | undefined | null> {
  if (!('content-length' in request.headers || 'transfer-encoding' in request.headers)) return undefined
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes <= LARGEST) pieces.push(piece)
  }
  return bytes <= LARGEST ? Buffer.concat(pieces) : null
}
