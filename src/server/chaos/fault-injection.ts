import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import { type FaultResponse, findGivenReply, findKindReply } from '#contract/records/control/fault-response.ts'
import { loseReply, sendThrottled } from './broken-replies.ts'
import { InjectedFault } from '../http/errors.ts'
import { BILLING_PATH } from '#contract/documents/billing/operations.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { findStriking } from './striking-faults.ts'
import { sendWith, prepareGiven, sendGiven } from './given-replies.ts'

/** Neither JSON nor XML begins with these bytes. */
const GARBAGE = Buffer.from([0xff, 0xfe, 0x00, 0x9c, 0x7d, 0x3e, 0x5d, 0x22, 0xc3, 0x28, 0xa0, 0xa1])

/** Asked for each request, so it must be cheap. */
export function mayInjectFaults({ ports, url }: Pick<FastifyRequest, 'ports' | 'url'>): boolean {
  // A request whose address cannot be decoded never reached the first station.
  return Boolean(ports?.faults.any()) && isVendorTraffic(url)
}

/** Faults that need no body strike on arrival, the others when it has been read. */
export function injectFaults(stage: 'arrival' | 'read'): onRequestHookHandler {
  return (request, reply, done) => {
    if (!mayInjectFaults(request)) done()
    else injectFault(request, reply, stage).then((isTakenOver) => isTakenOver || done(), done)
  }
}

/** Faults after the work strike the reply, and may take it over. */
export const injectFaultsIntoReply: onSendHookHandler = (request, reply: FastifyReply, payload, done) => {
  if (request.is404 || !mayInjectFaults(request)) done(null, payload)
  else {
    injectFaultIntoReply(request, reply, payload)
      .catch((error: Error) => drawFault(error, request, reply))
      .then((left) => left && done(null, left.payload), done)
  }
}

/** For a reply that is already a refusal Fastify would ask an outer handler, which speaks another dialect. */
function drawFault(fault: Error, request: FastifyRequest, reply: FastifyReply): undefined {
  if (!(fault instanceof InjectedFault)) throw fault
  reply.removeHeader('content-type').removeHeader('content-length')
  request.server.errorHandler(fault, request, reply)
}

/** Tells whether a fault took the request over; its reply may still be on its way. */
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
 * The work is done by now. Gives what is sent instead, or nothing when a fault took the reply over. A stream has no
 * payload and is throttled while it is written.
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

/** The type is that of the operation's own reply. */
function typeOf({ routeOptions }: FastifyRequest): string {
  if (routeOptions.url === BILLING_PATH) return 'text/xml; charset=utf-8'
  return routeOptions.config.describe?.().produces?.[0] ?? 'application/json; charset=utf-8'
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
