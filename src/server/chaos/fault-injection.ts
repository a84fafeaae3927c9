import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import { drawStrike, type FaultStage, findFaults } from '../domain/control/faults.ts'
import {
  type Fault,
  type FaultResponse,
  findGivenReply,
  findKindReply,
  hasNoBody,
} from '../../contract/records/control/fault.ts'
import { loseReply, sendThrottled } from './broken-replies.ts'
import { InjectedFault } from '../http/errors.ts'
import { callerOf, operationOf } from '../http/request-notes.ts'
import { BILLING_PATH } from '../../contract/documents/billing/operations.ts'
import { isVendorTraffic } from '../../contract/control/vendor-traffic.ts'

/** Milliseconds between two looks whether a fault is still there. */
const HELD = 50

/** No JSON and no XML begins with it. */
const GARBAGE = Buffer.from([0xff, 0xfe, 0x00, 0x9c, 0x7d, 0x3e, 0x5d, 0x22, 0xc3, 0x28, 0xa0, 0xa1])

/** Whether any fault may strike: asked for each request. */
export function mayInjectFaults({ ports, url }: Pick<FastifyRequest, 'ports' | 'url'>): boolean {
  // An address that cannot be decoded never came to the first station.
  return Boolean(ports?.faults.any()) && isVendorTraffic(url)
}

/** Faults that need no body strike when a request comes in, the others when it has been read. */
export function injectFaults(stage: 'arrival' | 'read'): onRequestHookHandler {
  return (request, reply, done) => {
    if (!mayInjectFaults(request)) done()
    else injectFault(request, reply, stage).then((isTakenOver) => isTakenOver || done(), done)
  }
}

/** Faults that come after the work strike its reply; one that they take over is not sent. */
export const injectFaultsIntoReply: onSendHookHandler = (request, reply: FastifyReply, payload, done) => {
  if (request.is404 || !mayInjectFaults(request)) done(null, payload)
  else injectFaultIntoReply(request, reply, payload).then((left) => left && done(null, left.payload), done)
}

/** Strikes a request before its work is done; tells whether it was taken over: its reply may still be on its way. */
async function injectFault(request: FastifyRequest, reply: FastifyReply, stage: 'arrival' | 'read'): Promise<boolean> {
  const respond = await findStriking(request, reply, stage)
  if (!respond) return false
  request.notes.isFaultsAnswer = true
  const given = findGivenReply(respond)
  if ('reset' in respond || 'timeout' in respond) loseReply(request, reply, respond)
  else if ('garbage' in respond) reply.type(typeOf(request)).send(GARBAGE)
  else if (given) reply.serializer((text: string) => text).send(prepareGiven(reply, given))
  else throwFault(request, reply, respond)
  return true
}

/**
 * Strikes a reply whose work is done: gives what is sent instead of it, or nothing when it was taken over. Without a
 * payload it is a stream's: that is throttled as it is written.
 */
export async function injectFaultIntoReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<{ payload: unknown } | undefined> {
  const { notes } = request
  if (notes.isFaultsAnswer) return { payload }
  const respond = await findStriking(request, reply, 'answer')
  if (!respond) return { payload }
  notes.isFaultsAnswer = true
  if ('garbage' in respond) return { payload: GARBAGE }
  const kind = findKindReply(respond)
  if (kind) return sendWith(reply, kind, payload)
  const given = findGivenReply(respond)
  if (given) return sendGiven(reply, prepareGiven(reply, given), payload)
  if ('reset' in respond || 'timeout' in respond) loseReply(request, reply, respond)
  else if ('cut' in respond || 'drip' in respond) {
    notes.throttling = respond
    if (payload === undefined) return { payload }
    sendThrottled(request, reply, toBytes(payload), respond)
  } else throwFault(request, reply, respond)
  return undefined
}

type Given = NonNullable<ReturnType<typeof findGivenReply>>

/** The rest of a reply whose status a fault chose; a stream's that has no body is sent here. */
function sendWith(reply: FastifyReply, { status, headers }: Given, payload: unknown): { payload: unknown } | undefined {
  reply.code(status).headers(headers ?? {})
  if (!hasNoBody(status)) return { payload }
  reply.removeHeader('content-type').removeHeader('content-length')
  if (payload !== undefined) return { payload: null }
  reply.send()
  return undefined
}

/** The text of a reply that was given word for word, whose head is set here. */
function prepareGiven(reply: FastifyReply, { status, headers, retryAfter, body }: Given): string {
  const isText = typeof body === 'string'
  reply.request.notes.isGiven = true
  reply.code(status).removeHeader('content-length')
  reply.type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  reply.headers(headers ?? {})
  return isText ? body : JSON.stringify(body)
}

function sendGiven(reply: FastifyReply, text: string, payload: unknown): { payload: unknown } | undefined {
  if (payload !== undefined) return { payload: text }
  reply.serializer((given: string) => given).send(text)
  return undefined
}

/** As the operation's own reply has it. */
function typeOf({ routeOptions }: FastifyRequest): string {
  if (routeOptions.url === BILLING_PATH) return 'text/xml; charset=utf-8'
  return routeOptions.config.describe?.().produces?.[0] ?? 'application/json; charset=utf-8'
}

/** The answer of the first that answers, behind the delays of those before it. */
async function findStriking(
  request: FastifyRequest,
  reply: FastifyReply,
  stage: FaultStage,
): Promise<FaultResponse | undefined> {
  const { ports, notes } = request
  for await (const fault of findFaults(ports, stage, toMatched(request))) {
    // A reply that failed by itself is not made to look as if it had gone well.
    if (reply.statusCode >= 400 && findKindReply(fault.respond)) continue
    const struck = await drawStrike(ports, fault)
    // Others may have spent it while chance was asked.
    if (!struck || !ports.faults.strike(fault.faultId)) continue
    notes.faults = [...(notes.faults ?? []), nameOf(fault)]
    if (struck.delay > 0) {
      await holdUp(request, fault.faultId, struck.delay)
    }
    if (fault.respond) {
      reply.header('x-vendor-cloud-fault', toHeaderText(nameOf(fault)))
      return fault.respond
    }
  }
  return undefined
}

function nameOf({ name, faultId }: Fault): string {
  return name ?? faultId
}

/** A header takes printable ASCII. */
function toHeaderText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

/** Until the delay is over, or the fault is taken back: that lets go whom it holds. */
async function holdUp(request: FastifyRequest, faultId: string, delay: number): Promise<void> {
  const { ports, server } = request
  server.reportArrival(request)
  const until = performance.now() + delay
  const isThere = () => ports.faults.list().some((fault) => fault.faultId === faultId)
  for (let left = delay; left > 0 && isThere(); left = until - performance.now()) {
    const pause = wait(Math.min(left, HELD), undefined, { signal: server.closing })
    await pause.catch(() => server.closing.throwIfAborted())
  }
}

function toMatched(request: FastifyRequest) {
  const { url, method, headers, body, notes } = request
  const { sent, readMessage } = notes
  const [path = '/', query] = url.split('?', 2)
  const read = typeof sent === 'string' ? readMessage?.(sent, 'kept')?.fields : undefined
  const operation = operationOf(request)
  return { operation, method, path, query, headers, caller: callerOf(request), body: read ?? sent ?? body }
}

function throwFault({ server, url }: FastifyRequest, reply: FastifyReply, respond: FaultResponse): never {
  // RFC 9110, section 15.5.6: a 405 says which methods there are.
  if ('status' in respond && respond.status === 405) {
    reply.header('allow', server.knownPaths.methodsOf(url.split('?', 1)[0]!).join(', '))
  }
  if ('retryAfter' in respond && respond.retryAfter !== undefined) reply.header('retry-after', respond.retryAfter)
  if ('headers' in respond && respond.headers) reply.headers(respond.headers)
  throw new InjectedFault(respond)
}

function toBytes(payload: unknown): Buffer {
  return typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.from(payload) : Buffer.alloc(0)
}
