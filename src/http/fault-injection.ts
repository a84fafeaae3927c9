import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { drawStrike, type FaultStage, findFaults } from '../domain/control/faults.ts'
import { DomainError } from '../domain/errors.ts'
import type { Fault, FaultResponse, Throttling } from '../schemas/control/fault.ts'
import { resetConnection } from './connection/reset-connection.ts'
import { Throttle } from './connection/throttle.ts'
import { callerOf, notesOf, operationOf } from './request-notes.ts'
import { isVendorTraffic } from './world-path.ts'

/** A failure somebody asked for; each document's error handler draws what it says in its own dialect. */
export class InjectedFault extends DomainError {
  readonly respond: FaultResponse

  constructor(respond: FaultResponse) {
    super('internal', 'a fault of the control API', { source: 'POST /_control/faults' })
    this.respond = respond
  }
}

/** No JSON and no XML begins with it. */
const GARBAGE = Buffer.from([0xff, 0xfe, 0x00, 0x9c, 0x7d, 0x3e, 0x5d, 0x22, 0xc3, 0x28, 0xa0, 0xa1])

/** Faults that need no body strike when a request comes in, the others when it has been read. */
export function meetFaults(stage: 'arrival' | 'read'): onRequestHookHandler {
  return (request, reply, done) => {
    if (!meetsFaults(request)) done()
    else injectFaults(request, reply, stage).then(() => reply.sent || done(), done)
  }
}

export function meetsFaults({ ports, url }: Pick<FastifyRequest, 'ports' | 'url'>): boolean {
  // An address that cannot be decoded never came to the first station.
  return Boolean(ports?.faults.any()) && isVendorTraffic(url)
}

/** Strikes a request before its work is done; `reply.sent` tells whether it was taken over. */
export async function injectFaults(
  request: FastifyRequest,
  reply: FastifyReply,
  stage: Exclude<FaultStage, 'answer'>,
): Promise<void> {
  const fault = await findStriking(request, stage)
  if (!fault?.respond) return
  notesOf(request).isAnswerStruck = true
  if ('reset' in fault.respond || 'timeout' in fault.respond) loseAnswer(request, reply, fault.respond)
  else throwFault(reply, fault.respond)
}

/**
 * Strikes an answer whose work is done: gives what is sent instead of it, or nothing when it was taken over. Without a
 * payload it is a stream's: that is throttled as it is written.
 */
export async function strikeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<{ payload: unknown } | undefined> {
  const notes = notesOf(request)
  // What a fault answers is not struck again.
  if (notes.isAnswerStruck) return { payload }
  const fault = await findStriking(request, 'answer')
  if (!fault?.respond) return { payload }
  notes.isAnswerStruck = true
  const { respond } = fault
  if ('reset' in respond || 'timeout' in respond) loseAnswer(request, reply, respond)
  else if ('garbage' in respond) return { payload: GARBAGE }
  else if ('cut' in respond || 'drip' in respond) {
    notes.throttling = respond
    if (payload === undefined) return { payload }
    sendSlowly(request, reply, toBytes(payload), respond)
  } else throwFault(reply, respond)
  return undefined
}

/** Waits for all that delay it, up to the first that answers. */
async function findStriking(request: FastifyRequest, stage: FaultStage): Promise<Fault | undefined> {
  const { ports, server } = request
  const notes = notesOf(request)
  for (const fault of findFaults(ports, stage, toMatched(request))) {
    const struck = await drawStrike(ports, fault)
    if (!struck) continue
    ports.faults.strike(fault.faultId)
    notes.faults = [...(notes.faults ?? []), fault.name ?? fault.faultId]
    if (struck.delay > 0) {
      await wait(struck.delay, undefined, { signal: server.closing }).catch(() => server.closing.throwIfAborted())
    }
    if (fault.respond) return fault
  }
  return undefined
}

function toMatched(request: FastifyRequest) {
  const { url, method, headers, body } = request
  const { sent, readMessage } = notesOf(request)
  const [path = '/', query] = url.split('?', 2)
  const read = typeof sent === 'string' ? readMessage?.(sent)?.fields : undefined
  const operation = operationOf(request)
  return { operation, method, path, query, headers, caller: callerOf(request), body: read ?? sent ?? body }
}

function throwFault(reply: FastifyReply, respond: FaultResponse): never {
  if ('retryAfter' in respond && respond.retryAfter !== undefined) reply.header('retry-after', respond.retryAfter)
  throw new InjectedFault(respond)
}

/** Nothing is answered: the connection is reset at once, or left alone until the client leaves or the server closes. */
function loseAnswer(request: FastifyRequest, reply: FastifyReply, respond: FaultResponse): void {
  const { socket } = reply.raw
  const notes = notesOf(request)
  notes.unanswered = true
  notes.witness(request, reply)
  reply.hijack()
  if (!socket) return
  if ('reset' in respond) return resetConnection(socket)
  const end = () => resetConnection(socket)
  request.server.closing.addEventListener('abort', end)
  socket.once('close', () => request.server.closing.removeEventListener('abort', end))
}

/** The body that is known, throttled. */
function sendSlowly(request: FastifyRequest, reply: FastifyReply, body: Buffer, throttling: Throttling): void {
  const { raw } = reply
  notesOf(request).witness(request, reply, body.toString())
  const headers = { ...(reply.getHeaders() as Record<string, string>), 'content-length': String(body.length) }
  reply.hijack()
  raw.writeHead(reply.statusCode, headers).flushHeaders()
  const reset = () => {
    if (raw.socket) resetConnection(raw.socket)
  }
  const throttle = new Throttle(throttling, { send: (bytes, whenSent) => raw.write(bytes, whenSent), reset })
  throttle.push(body, 'cut' in throttling ? reset : () => raw.end())
  request.server.closing.addEventListener('abort', reset, { once: true })
  raw.once('close', () => {
    throttle.stop()
    request.server.closing.removeEventListener('abort', reset)
  })
}

function toBytes(payload: unknown): Buffer {
  return typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.from(payload) : Buffer.alloc(0)
}
