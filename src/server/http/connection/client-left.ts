import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { DomainError } from '#server/domain/errors.ts'
import { LEFT_EARLY, LEFT_UNANSWERED } from '../errors.ts'
import { hasBody } from './connections.ts'

/** Proxies log this status if the client disconnected before it received a response. */
export const CLIENT_LEFT = 499

/** An injected request in a test has no connection and never counts as disconnected. */
export function hasLeft({ raw: { socket } }: Pick<FastifyRequest, 'raw'>): boolean {
  return socket.destroyed === true
}

/**
 * If the client disconnected before the body was read, Node does not notify its readers, so they would wait forever.
 */
export const rejectAbandonedBody: onRequestHookHandler = ({ raw, context }, _reply, done) => {
  if (!raw.destroyed || !hasBody(raw)) return done()
  context.unread = true
  throw new DomainError('malformed', raw.complete ? LEFT_UNANSWERED : LEFT_EARLY, { source: null })
}

/**
 * Closes the connection as soon as the client closes its side, which ends streams, delays and long work. Without this
 * call, a client that has only finished sending still gets its response.
 */
export function closeWithClient({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  const close = () => void socket.destroy()
  if (socket.readableEnded) return close()
  socket.once('end', close)
  reply.raw.once('close', () => socket.off('end', close))
}

export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'
}

/**
 * Returns a signal for long work. The signal aborts with `ClientLeft` if the connection closes before the response has
 * been sent.
 */
export function signalWhileHeard(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const { raw } = reply
  closeWithClient(request, reply)
  const heard = new AbortController()
  const end = () => {
    if (!raw.writableFinished) heard.abort(new ClientLeft('the client has disconnected'))
  }
  raw.once('close', end)
  if (hasLeft(request)) end()
  return heard.signal
}

/**
 * Returns a signal for long waits. It aborts if the client disconnects, and also if the server closes. Work in progress
 * should not use this signal, because it is completed before the server stops.
 */
export function signalWhileOpen(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const { closing } = request.server
  const waits = new AbortController()
  const heard = signalWhileHeard(request, reply)
  const endWithServer = () => waits.abort(closing.reason)
  closing.addEventListener('abort', endWithServer)
  heard.addEventListener('abort', () => waits.abort(heard.reason))
  reply.raw.once('close', () => closing.removeEventListener('abort', endWithServer))
  if (closing.aborted) endWithServer()
  if (heard.aborted) waits.abort(heard.reason)
  return waits.signal
}

const PIECE = 64 * 1024

/** Combines small chunks into large ones. Ends without an error if the client disconnects. */
export async function* gather(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  try {
    for await (const text of texts) {
      piece += text
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
  } catch (error) {
    if (error instanceof ClientLeft) return
    throw error
  }
  yield piece
}
