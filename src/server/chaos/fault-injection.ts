import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import {
  type FaultResponse,
  findFixedResponse,
  findKindReply,
  hasNoBody,
  type Throttling,
} from '#contract/records/control/fault-response.ts'
import { closeWithClient } from '../http/connection/client-left.ts'
import { resetConnection } from '../http/connection/connections.ts'
import { addChallenge, InjectedFault } from '../http/errors.ts'
import { operationOf } from '../http/request-context.ts'
import { BILLING_PATH } from '#contract/documents/billing/operations.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { findStriking } from './faults.ts'
import { FaultyWrites } from './faulty-writes.ts'

/** Bytes with which neither valid JSON nor valid XML can start. */
const GARBAGE = Buffer.from([0xff, 0xfe, 0x00, 0x9c, 0x7d, 0x3e, 0x5d, 0x22, 0xc3, 0x28, 0xa0, 0xa1])

/** Called for every request, so this function must be fast. */
export function mayInjectFaults(request: FastifyRequest): boolean {
  // If the address of a request cannot be decoded, the first hook does not run, so the request has no ports.
  return Boolean(request.ports?.faults.of(operationOf(request)).length) && isVendorTraffic(request.url)
}

/** Faults that depend on the body are applied after it has been read, all others on arrival. */
export function injectFaults(stage: 'arrival' | 'read'): onRequestHookHandler {
  return (request, reply, done) => {
    if (!mayInjectFaults(request)) done()
    else injectFault(request, reply, stage).then((isTakenOver) => isTakenOver || done(), done)
  }
}

export const injectFaultsIntoReply: onSendHookHandler = (request, reply: FastifyReply, payload, done) => {
  if (request.is404 || !mayInjectFaults(request)) done(null, payload)
  else {
    injectFaultIntoReply(request, reply, payload)
      .catch((error: Error) => chooseFault(error, request, reply))
      .then((left) => left && done(null, left.payload), done)
  }
}

/** Calls the error handler of the API, because Fastify would call the outer one during an error response. */
function chooseFault(fault: Error, request: FastifyRequest, reply: FastifyReply): undefined {
  if (!(fault instanceof InjectedFault)) throw fault
  reply.removeHeader('content-type').removeHeader('content-length')
  request.server.errorHandler(fault, request, reply)
}

/** Returns true if a fault has taken over the request. Its response may still be pending. */
async function injectFault(request: FastifyRequest, reply: FastifyReply, stage: 'arrival' | 'read'): Promise<boolean> {
  const respond = await findStriking(request, reply, stage)
  if (!respond) return false
  request.context.isFaultsAnswer = true
  const given = findFixedResponse(respond)
  if ('reset' in respond || 'timeout' in respond) loseReply(request, reply, respond)
  else if ('garbage' in respond) reply.type(typeOf(request)).send(GARBAGE)
  else if (given) sendFixedResponse(reply, given)
  else throwFault(request, reply, respond)
  return true
}

/** Returns undefined if the fault has taken over. A stream has no payload and is throttled while it is written. */
export async function injectFaultIntoReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<{ payload: unknown } | undefined> {
  const { context } = request
  if (context.isFaultsAnswer) return { payload }
  const respond = await findStriking(request, reply, 'answer')
  if (!respond) return { payload }
  context.isFaultsAnswer = true
  context.isProcessed = reply.statusCode < 400
  if ('garbage' in respond) return { payload: GARBAGE }
  const kind = findKindReply(respond)
  if (kind) return sendWith(reply, kind, payload)
  const given = findFixedResponse(respond)
  if (given) return sendFixedResponse(reply, given, payload)
  if ('reset' in respond || 'timeout' in respond) loseReply(request, reply, respond)
  else if ('cut' in respond || 'throttle' in respond) {
    context.throttling = respond
    if (payload === undefined) return { payload }
    sendThrottled(request, reply, toBytes(payload), respond)
  } else throwFault(request, reply, respond)
  return undefined
}

function typeOf({ routeOptions }: FastifyRequest): string {
  if (routeOptions.url === BILLING_PATH) return 'text/xml; charset=utf-8'
  return routeOptions.config.describe?.().produces?.[0] ?? 'application/json; charset=utf-8'
}

function throwFault({ server, url, context }: FastifyRequest, reply: FastifyReply, respond: FaultResponse): never {
  // RFC 9110, section 15.5.6: a 405 response lists the supported methods.
  if ('status' in respond && respond.status === 405) {
    reply.header('allow', server.knownPaths.methodsOf(url.split('?', 1)[0]!).join(', '))
  }
  if ('retryAfter' in respond && respond.retryAfter !== undefined) reply.header('retry-after', respond.retryAfter)
  if ('headers' in respond) setHeaders(reply, respond.headers)
  throw new InjectedFault(respond, context.faults?.at(-1) ?? '')
}

/** An empty value removes the header. For example, a fault can remove a CORS header. */
function setHeaders(reply: FastifyReply, headers: Given['headers'] = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value === '') reply.removeHeader(name)
    else reply.header(name, value)
  }
}

function toBytes(payload: unknown): Buffer {
  return typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.from(payload) : Buffer.alloc(0)
}

type Given = NonNullable<ReturnType<typeof findFixedResponse>>

/** The response of a stream has no payload, so it is sent here. */
function sendWith(reply: FastifyReply, { status, headers }: Given, payload: unknown): { payload: unknown } | undefined {
  setHeaders(reply.code(status), headers)
  if (!hasNoBody(status)) return { payload }
  reply.removeHeader('content-type').removeHeader('content-length')
  if (payload !== undefined) return { payload: null }
  reply.send()
  return undefined
}

/** If `payload` is undefined (before the operation, or for a stream), the response is sent here. */
function sendFixedResponse(reply: FastifyReply, given: Given, payload?: unknown): { payload: unknown } | undefined {
  const { status, headers, retryAfter, body } = given
  const isText = typeof body === 'string'
  const text = isText ? body : JSON.stringify(body)
  reply.request.context.isGiven = true
  reply.code(status).removeHeader('content-length')
  reply.type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  setHeaders(reply, headers)
  if (payload !== undefined) return { payload: text }
  reply.serializer((whole: string) => whole).send(text)
  return undefined
}

function loseReply(request: FastifyRequest, reply: FastifyReply, respond: FaultResponse): void {
  const { raw } = reply
  const { server, context } = request
  context.unanswered = true
  closeWithClient(request, reply)
  server.reportReply(request, reply)
  reply.hijack()
  const lose = (socket: Socket) => {
    if ('reset' in respond) return resetConnection(socket)
    // Node detects a disconnected client only while the connection is read.
    request.raw.resume()
    const end = () => resetConnection(socket)
    server.closing.addEventListener('abort', end)
    socket.once('close', () => server.closing.removeEventListener('abort', end))
  }
  // A pipelined response gets its socket late, and an injected test request never gets one.
  if (raw.socket) lose(raw.socket)
  else raw.once('socket', lose)
}

function sendThrottled(request: FastifyRequest, reply: FastifyReply, body: Buffer, throttling: Throttling) {
  const { raw } = reply
  const { server } = request
  addChallenge(request, reply)
  server.reportReply(request, reply, body.toString(), body)
  const headers = { ...(reply.getHeaders() as Record<string, string>), 'content-length': String(body.length) }
  reply.hijack()
  raw.writeHead(reply.statusCode, headers).flushHeaders()
  const reset = () => {
    if (raw.socket) resetConnection(raw.socket)
  }
  const faultyWrites = new FaultyWrites(
    { write: (bytes, whenWritten) => raw.write(bytes, whenWritten), reset },
    throttling,
  )
  faultyWrites.write([body], 'cut' in throttling ? reset : () => raw.end())
  server.closing.addEventListener('abort', reset, { once: true })
  raw.once('close', () => {
    faultyWrites.stop()
    server.closing.removeEventListener('abort', reset)
  })
}
