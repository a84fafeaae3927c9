import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain/errors.ts'
import type { NewestReplies } from './connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when the server closes: work that waits listens to it, throws its reason and is answered at once. */
    closing: AbortSignal
  }
}

/** Milliseconds that a request which is on its way when the server closes has to arrive. */
const ARRIVAL_TIME = 800

/**
 * Ends in time: requests that have arrived finish, idle connections go at once, and those that have still not sent a
 * whole request after a moment go too: browsers open connections ahead, and Node waits 10 seconds for their first word.
 */
export function closeInTime(app: FastifyInstance, replies: NewestReplies): void {
  const closing = new AbortController()
  // Each request that waits is a listener.
  setMaxListeners(0, closing.signal)
  app.decorate('closing', { getter: () => closing.signal })
  const open = new Map<string, Socket>()

  function track(socket: Socket): void {
    const peer = `${socket.remoteAddress} ${socket.remotePort}`
    // Over TLS a connection comes twice: as it is, and once it is secure.
    open.set(peer, socket)
    socket.once('close', () => {
      if (open.get(peer) === socket) open.delete(peer)
    })
  }
  app.server.on('connection', track).on('secureConnection', track)

  app.addHook('preClose', async () => {
    closing.abort(new DomainError('closing', 'the server is closing'))
    // Closing all would reset requests in flight; waiting for idle ones alone would wait for their next request.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100)
    const late = setTimeout(() => {
      for (const socket of open.values()) if (!isBusy(replies.get(socket))) socket.destroy()
    }, ARRIVAL_TIME)
    app.server.closeIdleConnections()
    app.server.once('close', () => {
      clearInterval(idle)
      clearTimeout(late)
    })
  })
}

function isBusy(reply: ServerResponse | undefined): boolean {
  return reply?.req.complete === true && !reply.writableFinished
}
