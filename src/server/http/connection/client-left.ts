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

/** If the client disconnects before the body is read, Node does not notify its readers. */
export const rejectAbandonedBody: onRequestHookHandler = ({ raw, context }, _reply, done) => {
  if (!raw.destroyed || !hasBody(raw)) return done()
  context.unread = true
  throw new DomainError('client-left', raw.complete ? LEFT_UNANSWERED : LEFT_EARLY, { source: null })
}

/** For streams, delays and long work. By default, a client that has finished sending still gets its response. */
export function closeWithClient({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  const close = () => void socket.destroy()
  if (socket.readableEnded) return close()
  socket.once('end', close)
  reply.raw.once('close', () => socket.off('end', close))
}

export class ClientLeft extends Error {
  override readonly name = 'ClientLeft'
}

/** For long work. Aborts with `ClientLeft` if the connection closes before the response has been sent. */
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

/** For long waits. Also aborts if the server closes, so work that must be completed should not use it. */
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
