import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { DomainError } from '#server/domain/errors.ts'
import { LEFT_EARLY, LEFT_UNANSWERED } from '../errors.ts'
import { hasBody } from './connections.ts'

/** Proxies log this status where the client left before the answer. */
export const CLIENT_LEFT = 499

/** An injected request has no connection. */
export function hasLeft({ raw: { socket } }: Pick<FastifyRequest, 'raw'>): boolean {
  return socket.destroyed === true
}

/** Node does not tell body readers that a client has disconnected before, so a reader would wait forever. */
export const rejectAbandonedBody: onRequestHookHandler = ({ raw, context }, _reply, done) => {
  if (!raw.destroyed || !hasBody(raw)) return done()
  context.unread = true
  throw new DomainError('malformed', raw.complete ? LEFT_UNANSWERED : LEFT_EARLY, { source: null })
}

/**
 * Closes the connection when the client closes its side. Streams, delays and long work end so. Other responses are sent
 * to a client that has no more to send.
 */
export function closeWithClient({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  const close = () => void socket.destroy()
  if (socket.readableEnded) return close()
  socket.once('end', close)
  reply.raw.once('close', () => socket.off('end', close))
}

/** The client disconnected before the response. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'
}

/** Long work gets it: it aborts by `ClientLeft` when the connection closes before the response is sent. */
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

/** Long waits get it: it also aborts when the server closes. Work that is under way is completed instead. */
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

/** Long replies leave in large pieces, and end quietly when the client leaves. */
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
